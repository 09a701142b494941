import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { damageParts } from '../support/crashes/damaged-parts.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { runCommand, startServing } from '../support/programs/command.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';

const NOTICE =
  /damaged.*: table affiliate_transactions, month 2026-01 \(\/.+\)\. Restore a backup, or import/;

test('`check` and the log of `serve` report damaged files by table and month, and say what to do', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'transactions-damage-'));
  onTestFinished(async () => await rm(directory, { recursive: true, force: true }));
  const data = join(directory, 'data');
  const check = async () => (await runCommand(['check'], { directory })).output;
  await newDatabase(data, 'UTC');
  await writeFile(join(directory, 'file.csv'), csv([fileRow({})]));
  await runCommand(['import', 'file.csv'], { directory });
  expect(await check()).not.toContain('damaged');
  await damageParts(data, 'affiliate_transactions');
  expect(await check()).toMatch(NOTICE);
  const server = await startServing(['serve', '--port', '0'], { directory });
  const checked = await check();
  await server.stop();
  expect(checked).toMatch(NOTICE);
  const warning = server.log.find((line) => NOTICE.test(line)) ?? '{}';
  expect(JSON.parse(warning)).toMatchObject({ level: 40 });
});
