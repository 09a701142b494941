import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { roundText } from '../../src/cli/continuous/round-text.ts';
import { watchDirectory } from '../../src/cli/continuous/watch-directory.ts';
import { importHome } from '../support/databases/import-home.ts';
import { outcomeOf, startCommand } from '../support/programs/command.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { everyNth } from '../support/run/sampled.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { testInFull } from '../support/run/test-in-full.ts';
import { type ObjectStore, startObjectStore } from '../support/servers/object-store.ts';

const home = importHome('UTC');
const URL = 's3://bucket/days/*.csv';

let store: ObjectStore;

beforeAll(async () => {
  store = await startObjectStore();
});

afterAll(async () => await store.close());

/** Starts a continuous import; `lines` are what it has printed. */
function start(...args: readonly string[]) {
  const child = startCommand(['import', ...args], {
    directory: home.path,
    environment: { AWS_ENDPOINT_URL: store.url, DATABASE_URL: 'chdb:./data' },
  });
  const ended = outcomeOf(child);
  const shown = { lines: '', errors: '' };
  child.stdout.on('data', (text: string) => {
    shown.lines += text;
  });
  child.stderr.on('data', (text: string) => {
    shown.errors += text;
  });
  const stop = async () => {
    child.kill('SIGTERM');
    return await ended;
  };
  return { shown, stop, ended };
}

const rows = (...ids: readonly number[]) => ids.map((id) => fileRow({ transaction_id: id }));

const every = ['--every', '1s', '--overlap', '1s', '--state', 'orders.state', '--json'];

const stateOf = async () => JSON.parse(await readFile(join(home.path, 'orders.state'), 'utf8'));

test('changes are imported round by round, even after failures, and after a restart only new ones', async () => {
  store.put('days/1.csv', csv(rows(1, 2)), new Date('2026-01-01T00:00:00Z'));
  const first = start(URL, ...every);
  await expect.poll(() => first.shown.lines).toContain('"imported":2');
  // Only in the full run. In `npm test`, the round after the failure below reads what has changed.
  if (IS_FULL) {
    store.put('days/2.csv', csv(rows(3)), new Date(Date.now() + 1_000));
    await expect.poll(() => first.shown.lines).toContain('"imported":1');
  }
  store.put('days/3.csv', csv([fileRow({ status: 5 })]), new Date(Date.now() + 3_600_000));
  await expect
    .poll(() => first.shown.errors)
    .toMatch(/failed: .*rows are wrong.* Next try in \d+ s\./);
  const { read_until: before } = await stateOf();
  store.put('days/3.csv', csv(rows(4, 5, 6, 7)), new Date(Date.now() + 3_600_000));
  await expect.poll(() => first.shown.lines).toContain('"imported":4');
  await expect.poll(async () => (await stateOf()).read_until > before).toBe(true);
  const { code } = await first.stop();
  expect(code).toBe(0);
  expect(await stateOf()).toMatchObject({ sources: [`${store.url}/bucket/days/*.csv`] });

  const second = start(URL, ...every);
  await expect.poll(() => second.shown.lines).toContain('"since":"20');
  expect(second.shown.lines).not.toContain(fullOrShort('"rows":7', '"rows":6'));
  expect((await second.stop()).code).toBe(0);

  // Only in the full run. In `npm test`, import-state.test.ts refuses the state of another import.
  if (!IS_FULL) return;
  for (const source of ['s3://bucket/other.csv', `${URL}?endpoint=http://127.0.0.1:1`]) {
    expect(await start(source, ...every).ended).toMatchObject({
      code: 1,
      errors: expect.stringContaining(
        `orders.state is the state of an import of ${store.url}/bucket/days`,
      ),
    });
  }
});

test('the import ends when its mapping changes, because earlier rows have values of the former one', async () => {
  store.put('mapped/1.csv', csv(rows(1)), new Date('2026-01-01T00:00:00Z'));
  const path = join(home.path, 'mapped.json');
  const columns = Object.keys(fileRow({})).map((name) => [name, name]);
  const write = async (more: object = {}) =>
    await writeFile(path, JSON.stringify({ fields: { ...Object.fromEntries(columns), ...more } }));
  await write();
  const importing = start('s3://bucket/mapped/*.csv', '--every', '1s', '--mapping', 'mapped.json');
  await expect.poll(() => importing.shown.lines).toContain('imported 1');
  await write({ pid: { value: 'x' } });
  expect(await importing.ended).toMatchObject({
    code: 1,
    errors: expect.stringContaining('The mapping mapped.json has changed.'),
  });
});

// Only in the full run. In `npm test`, rounds.test.ts checks when an import begins again.
testInFull(
  'in a database that was replaced, the import begins again, or ends with --state',
  async () => {
    store.put('again/1.csv', csv(rows(1, 2)), new Date('2026-01-01T00:00:00Z'));
    const args = ['s3://bucket/again/*.csv', '--every', '5s', '--json'];
    // Between two rounds, no process has the database open.
    const replace = async (former: string) =>
      await rename(join(home.path, 'data'), join(home.path, former));
    const first = start(...args);
    const times = () => first.shown.lines.split('"imported":2').length - 1;
    await expect.poll(times).toBe(1);
    await replace('former');
    await expect.poll(times).toBe(2);
    await expect.poll(() => first.shown.errors).toContain('replaced, so the import begins again.');
    expect((await first.stop()).code).toBe(0);

    const second = start(...args, '--state', 'again.state');
    await expect.poll(() => second.shown.lines).toContain('"rows":2');
    await replace('second');
    expect(await second.ended).toMatchObject({
      code: 1,
      errors: expect.stringContaining(
        'again.state is the state of an import into another database',
      ),
    });
  },
);

// Only in the full run. In `npm test`, cli/settings.test.ts checks that commands name the time zone of a new database.
testInFull(
  'the time zone of a new database is named before it is created, and before a file arrives',
  async () => {
    store.put('days/1.csv', csv(rows(1)), new Date('2026-01-01T00:00:00Z'));
    const fresh = start('s3://bucket/days/1.csv', ...every, '--database', 'chdb:./fresh');
    await expect.poll(() => fresh.shown.lines).toContain('"imported":1');
    const watching = start('.', '--watch', '--database', 'chdb:./watching');
    await expect.poll(() => watching.shown.errors).toContain('time zone');
    for (const { errors } of [await fresh.stop(), await watching.stop()])
      expect(errors).toBe(
        'The time zone of this database is UTC, and it cannot be changed later. To use another one, delete the database and start again with --time-zone Europe/Paris.\n',
      );
  },
);

test('files that arrive in a directory are imported, or refused with the reasons', async () => {
  const directory = join(home.path, 'incoming');
  await mkdir(directory);
  const watching = start('incoming', '--watch', '--every', '1s');
  const put = async (name: string, text: string) => {
    await writeFile(join(directory, 'next.part'), text);
    await rename(join(directory, 'next.part'), join(directory, name));
  };
  await writeFile(join(directory, 'unfinished.csv.part'), 'type');
  await put('a.csv', csv(rows(101)));
  await put('b.csv', csv([fileRow({ status: 5 })]));
  await put('c\nd.csv', 'unknown\u{1b}[31m\n1\n');
  // The longest name that a file can have leaves no room for `.txt`.
  await put(`${'a'.repeat(251)}.csv`, 'unknown\n1\n');
  const moved = async (folder: string) => await readdir(join(directory, folder)).catch(() => []);
  await expect.poll(async () => await moved('imported')).toEqual(['a.csv']);
  await expect
    .poll(async () => (await moved('refused')).sort())
    .toEqual([
      ...[`${'a'.repeat(247)}.csv`, `${'a'.repeat(247)}.csv.txt`],
      ...['b.csv', 'b.csv.txt', 'c\nd.csv', 'c\nd.csv.txt'],
    ]);
  expect(await readFile(join(directory, 'refused/b.csv.txt'), 'utf8')).toContain('status "5"');
  const reasons = await readFile(join(directory, 'refused/c\nd.csv.txt'), 'utf8');
  expect(reasons).toContain('unknown\\x1b[31m');
  await expect.poll(() => watching.shown.errors).toContain('refused: c\\u{a}d.csv: ');
  await put('a.csv', csv(rows(102)));
  await expect.poll(async () => (await moved('imported')).sort()).toEqual(['a-2.csv', 'a.csv']);
  expect((await watching.stop()).code).toBe(0);
  expect(await readdir(directory)).toContain('unfinished.csv.part');
});

// Only in the full run. In `npm test`, watched-directory.test.ts checks that a file that cannot be moved or refused stays.
testInFull(
  'a file that cannot be refused does not keep the next ones from being imported',
  async () => {
    const directory = join(home.path, 'blocked');
    await mkdir(directory);
    await symlink(home.path, join(directory, 'refused'));
    await writeFile(join(directory, 'a.csv'), 'unknown\n1\n');
    await writeFile(join(directory, 'b.csv'), csv(rows(103)));
    const watching = start('blocked', '--watch', '--every', '1s');
    await expect
      .poll(async () => await readdir(join(directory, 'imported')).catch(() => []))
      .toEqual(['b.csv']);
    await expect.poll(() => watching.shown.errors).toContain('is not a directory of this user');
    await writeFile(join(directory, 'c.csv'), csv(rows(104)));
    await expect
      .poll(async () => await readdir(join(directory, 'imported')))
      .toEqual(['b.csv', 'c.csv']);
    // Neither imported nor reported again in the rounds that have imported the others.
    const { errors } = watching.shown;
    expect(errors.match(/Z refused: a\.csv: unknown column/g)).toHaveLength(1);
    expect(errors.match(/is not a directory of this user/g)).toHaveLength(1);
    await rm(join(directory, 'refused'));
    await expect
      .poll(async () => await readdir(join(directory, 'refused')).catch(() => []))
      .toEqual(['a.csv', 'a.csv.txt']);
    expect(watching.shown.errors).toBe(errors);
    expect((await watching.stop()).code).toBe(0);
  },
);

test('a line feed in the name of a file does not begin another line of the log', () => {
  const nothing = { rows: 0, imported: 0, emptied: 0, removed: 0, seconds: 1 };
  const report = { ...nothing, id: '1', files: 1, rejected: 0, reasons: {}, faults: [] };
  expect(roundText(report, { file: 'a\nb.csv' }, {})).toContain(' a\\u{a}b.csv: read 0 rows');
  const fault = {
    file: 'a\nb.csv',
    line: 2,
    column: 'pid',
    reason: 'not_utf8',
    value: '',
  } as const;
  const refused = { ...report, rejected: 1, faults: [fault] };
  expect(roundText(refused, { file: 'a\nb.csv' }, {})).toContain('a\\u{a}b.csv:2');
});

test.each([
  [{ type: 'bogus' }, '--type must be one of'],
  [{ decimal: 'x' }, '--decimal'],
  [{ mapping: 'missing.json' }, 'missing.json'],
])('a watched directory is not read with the wrong flag %j', async (flag, message) => {
  const database = `chdb:${join(home.path, 'data')}`;
  await expect(watchDirectory(['missing'], { database, ...flag })).rejects.toThrow(message);
});

const REFUSALS: readonly (readonly [readonly string[], string])[] = [
  [['a.csv', '--every', '1m'], 'Without --watch, --every imports only from databases and buckets'],
  [[URL, '--every', 'often'], '--every must be a whole number of seconds, minutes or hours'],
  [[URL, '--every', '1m', '--rejects', 'r.csv'], '--rejects cannot be used with --every'],
  [
    [URL, '--every', '1m', '--state', 'missing/x.state'],
    '--state missing/x.state cannot be written (ENOENT)',
  ],
  [[URL, '--state', 'file'], '--state and --overlap belong to a continuous import'],
  [['a', 'b', '--watch'], '--watch imports the files of one directory'],
  [['missing', '--watch'], 'The directory missing cannot be read'],
  [['a', '--watch', '--rejects', 'r.csv'], 'moves to the folder refused'],
  [['a', '--watch', '--state', 's.json'], '--state cannot be used with --watch'],
  [['a', '--watch', '--suggest-mapping', 'm.json'], '--suggest-mapping cannot be used with'],
  [[URL, '--every', '1m', '--suggest-mapping', 'm.json'], '--suggest-mapping cannot be used with'],
  [['a', '--watch', '--overlap', '1m'], '--since, --state and --overlap are for databases'],
];

test.each(everyNth(REFUSALS, 4))('%j is refused with advice', async (args, message) => {
  const { code, errors } = await start(...args).ended;
  expect([code, errors]).toEqual([1, expect.stringContaining(message)]);
});
