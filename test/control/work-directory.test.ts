import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { openStore } from '../support/databases/stores.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';

/** Creates a work directory with a file, as a process would leave it among the temporary directories. */
async function leftBy(processId: number): Promise<string> {
  const place = join(tmpdir(), `transactions-incoming-${processId}-left`);
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'rows.input'), 'x');
  return place;
}

test('the work directory for a server is private, and is removed at the end or, after a kill, by the next process', async () => {
  const home = await mkdtemp(join(tmpdir(), 'transactions-'));
  const store = await openStore('server', home, 'Europe/Paris');
  const killed = await leftBy(spawnSync(process.execPath, ['--version']).pid);
  const running = await leftBy(process.ppid);
  const settings = { url: store.url, timeZone: undefined };
  const [one, other] = [await openDatabase(settings), await openDatabase(settings)];
  expect(one.workDirectory).not.toBe(other.workDirectory);
  expect([existsSync(killed), existsSync(running)]).toEqual([false, true]);
  const operators = [new LocalOperator(one), new LocalOperator(other)];
  try {
    const path = join(home, 'rows.ndjson');
    await writeFile(path, ndjson([fileRow({})]));
    const order = { files: [{ path, name: path }], type: undefined, round: false, rejects: false };
    await operators[0]?.importFiles(order, {});
    expect((await stat(one.workDirectory)).mode & 0o777).toBe(0o700);
  } finally {
    for (const operator of operators) await operator.close();
    await store.close();
    await rm(home, { recursive: true, force: true });
    await rm(running, { recursive: true, force: true });
  }
  expect(existsSync(one.workDirectory)).toBe(false);
});
