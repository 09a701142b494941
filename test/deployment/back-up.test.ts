import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { runCommand } from '../support/programs/command.ts';
import { commandsOf } from '../support/programs/page-commands.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';

test('the commands of the page back up a database and restore it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'back-up-'));
  await fill(folder);
  const page = (await commandsOf('docs/how-to/back-up.md')).trim().split(/\n+/);
  let output = '';
  for (const line of page) {
    const [npx, transactions, ...args] = line.split(' ');
    expect([npx, transactions], line).toEqual(['npx', 'transactions']);
    const outcome = await runCommand(args, { directory: folder });
    expect(outcome.code, outcome.errors).toBe(0);
    output += outcome.output;
  }
  await rm(folder, { recursive: true, force: true });
  const content = '2 transactions and 1 access token';
  expect(output).toContain(`Backed up ${content} to backups/monday`);
  expect(output).toContain(`Backed up ${content} to backups/tuesday`);
  expect(output).toContain(`Restored ${content} from backups/tuesday`);
  expect(output).toMatch(/admin\s.*valid/);
});

/** Puts a database with two transactions and a token into the folder. */
async function fill(folder: string): Promise<void> {
  const path = join(folder, 'sales.csv');
  await writeFile(path, csv([fileRow({}), fileRow({})]));
  await newDatabase(join(folder, 'data'), 'Europe/Paris');
  const database = await openDatabase({ url: `chdb:${folder}/data`, timeZone: 'Europe/Paris' });
  const operator = new LocalOperator(database);
  const files = [{ path, name: 'sales.csv' }];
  await operator.importFiles({ files, type: undefined, round: false, rejects: false }, {});
  await operator.createToken({ role: 'admin', publisherIds: [], programIds: [] });
  await operator.close();
}
