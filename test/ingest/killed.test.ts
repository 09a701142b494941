import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/open-database.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { type VisibleCounts, visibleCounts } from '../support/databases/visible-counts.ts';
import { outcomeOf, runCommand, startCommand, startServing } from '../support/programs/command.ts';
import { writeBigFile } from '../support/rows/big-file.ts';
import { fullOrShort } from '../support/run/test-extent.ts';
import { testInFull } from '../support/run/test-in-full.ts';

const ROWS = fullOrShort(60_000, 10_000);
const NOTHING: VisibleCounts = { admin: 0, affiliate: 0, left: [] };
const ALL: VisibleCounts = { admin: ROWS, affiliate: ROWS, left: [] };

let home: string;
let path: string;
/** The duration of the whole command in milliseconds. */
let duration: number;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-killed-'));
  path = join(home, 'file.csv');
  await writeBigFile(path, ROWS);
  await makeDatabase('whole');
  const started = performance.now();
  const { code, output } = await importInto('whole');
  expect([code, output]).toEqual([0, expect.stringContaining(`"imported":${ROWS}`)]);
  duration = performance.now() - started;
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

const makeDatabase = async (name: string) => await newDatabase(join(home, name), 'UTC');

const args = (database: string) => [
  'import',
  path,
  '--json',
  '--database',
  `chdb:${join(home, database)}`,
];

const importInto = async (database: string) =>
  await runCommand(args(database), { directory: home });

async function seenIn(name: string): Promise<VisibleCounts> {
  const database = await openDatabase({ url: `chdb:${join(home, name)}`, timeZone: undefined });
  try {
    return await visibleCounts(database.engine);
  } finally {
    await database.engine.close();
  }
}

/** Moments spread over the import itself. The first third of the command's time is the start of Node. */
const moments = (count: number): readonly number[] =>
  Array.from(
    { length: count },
    (_, at) => duration * (0.35 + (0.7 * (at + fullOrShort(Math.random(), 0.5))) / count),
  );

test('an import that is killed at any moment leaves all of its rows or none, and can be repeated', async () => {
  const seen: VisibleCounts[] = [];
  for (const [at, moment] of moments(fullOrShort(14, 1)).entries()) {
    const name = `killed-${at}`;
    await makeDatabase(name);
    const child = startCommand(args(name), { directory: home });
    const outcome = outcomeOf(child);
    await sleep(moment);
    child.kill('SIGKILL');
    await outcome;
    const found = await seenIn(name);
    expect([NOTHING, ALL]).toContainEqual(found);
    seen.push(found);
    // The import can be repeated, although the killed process left files.
    if (at % 5 === 0) {
      expect(await importInto(name)).toMatchObject({ code: 0 });
      expect(await seenIn(name)).toEqual(ALL);
    }
    await rm(join(home, name), { recursive: true, force: true });
  }
  expect(seen.length).toBeGreaterThan(0);
});

// Only in the full run. In `npm test`, the test above kills an importing process, and crashes.test.ts kills one after
// given statements.
testInFull('a server that is killed during an import leaves all of its rows or none', async () => {
  const url = `chdb:${join(home, 'served')}`;
  for (const moment of moments(5)) {
    await makeDatabase('served');
    const { child, ended } = await startServing(['serve', '--port', '0', '--database', url], {
      directory: home,
    });
    const importing = importInto('served');
    await sleep(moment);
    child.kill('SIGKILL');
    await ended;
    const { code, errors } = await importing;
    const found = await seenIn('served');
    expect([NOTHING, ALL]).toContainEqual(found);
    // The command reports the loss of the server, unless the import had ended before.
    if (code !== 0) expect(errors).toMatch(/ended before it reported the outcome|does not answer/);
    if (code === 0) expect(found).toEqual(ALL);
    await rm(join(home, 'served'), { recursive: true, force: true });
  }
});

test('if the command is killed while the server imports, all rows are visible or none, and the server continues', async () => {
  const url = `chdb:${join(home, 'left')}`;
  await makeDatabase('left');
  const server = await startServing(['serve', '--port', '0', '--database', url], {
    directory: home,
  });
  for (const moment of moments(fullOrShort(4, 1))) {
    const child = startCommand(args('left'), { directory: home });
    const outcome = outcomeOf(child);
    await sleep(moment);
    child.kill('SIGKILL');
    await outcome;
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
  }
  const { output } = await runCommand(['token', 'list', '--database', url], { directory: home });
  expect(output).toContain('There is no token yet');
  expect((await server.stop()).code).toBe(0);
  expect([NOTHING, ALL]).toContainEqual(await seenIn('left'));
  expect(server.log.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
});
