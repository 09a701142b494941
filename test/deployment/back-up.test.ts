import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newDatabase } from '../support/databases/copied-database.ts';
import { commandsOf, provideNpx, runScript } from '../support/programs/page-commands.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';

test('the commands of the page back up a database and restore it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'back-up-'));
  await provideNpx(folder);
  await newDatabase(join(folder, 'data'), 'Europe/Paris');
  await writeFile(join(folder, 'sales.csv'), csv([fileRow({}), fileRow({})]));
  const prepare =
    'npx transactions import sales.csv > import.log\nnpx transactions token create --role admin 2> token.log';
  const page = await commandsOf('docs/how-to/back-up.md');
  const { status, stdout, stderr } = await runScript(`${prepare}\n${page}`, folder);
  await rm(folder, { recursive: true, force: true });
  expect(status, stderr).toBe(0);
  const content = '2 transactions and 1 access token';
  expect(stdout).toContain(`Backed up ${content} to backups/monday`);
  expect(stdout).toContain(`Backed up ${content} to backups/tuesday`);
  expect(stdout).toContain(`Restored ${content} from backups/tuesday`);
  expect(stdout).toMatch(/admin\s.*valid/);
});
