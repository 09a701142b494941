import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DirectoryName } from '../../src/contract/record/directory.ts';
import { LocalOperator } from '../../src/control/local-operator.ts';
import type { Operator } from '../../src/control/operator.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Mapping } from '../../src/ingest/files/mapping.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { STORES, type StoreKind } from '../support/databases/tested-stores.ts';
import { visibleCounts } from '../support/databases/visible-counts.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { everyNth } from '../support/run/sampled.ts';
import { fullOrShort } from '../support/run/test-extent.ts';

let home: string;
let files = 0;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-directory-'));
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

interface Import {
  readonly of?: DirectoryName;
  readonly replace?: boolean;
  readonly mapping?: Mapping;
}

async function importText(operator: Operator, text: string, given: Import = {}) {
  const { of = 'programs', replace = false, mapping } = given;
  files += 1;
  const path = join(home, `file-${files}`);
  await writeFile(path, text);
  const file = { path, name: 'names.csv', mapping };
  return await operator.importDirectory({ of, files: [file], replace }, {});
}

const namesIn = async (operator: Operator, of: DirectoryName = 'programs') =>
  (await Array.fromAsync(operator.directoryLines(of), (line) => JSON.parse(line))).map(
    ({ id, name }) => [id, name],
  );

const idsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => first + at);
const rowsOf = (ids: readonly number[], name: string) =>
  `id,name\n${ids.map((id) => `${id},${name} ${id}\n`).join('')}`;

/** In `npm test`, cli/clickhouse-users.test.ts replaces entries on a server. */
const TRIED_STORES = fullOrShort<readonly StoreKind[]>(STORES, ['embedded']);

describe.each(TRIED_STORES)('on the store %s', (store) => {
  let service: TestService;
  let operator: Operator;

  beforeAll(async () => {
    service = await startService({ store });
    operator = service.operator;
  });

  afterAll(async () => await service.close());

  test('a file adds entries and updates those that it has, and leaves the others', async () => {
    expect(await importText(operator, rowsOf([1, 2, 3], 'Old'))).toMatchObject({ imported: 3 });
    expect(await importText(operator, rowsOf([2, 9], 'New'))).toMatchObject({
      imported: 2,
      deleted: 0,
    });
    expect(await namesIn(operator)).toEqual([
      [1, 'Old 1'],
      [2, 'New 2'],
      [3, 'Old 3'],
      [9, 'New 9'],
    ]);
  });

  test('--replace removes all other entries of the same kind, and they can come back', async () => {
    await importText(operator, rowsOf([1, 2], 'Website'), { of: 'publishers' });
    await importText(operator, rowsOf(idsFrom(1, 50), 'Old'));
    const report = await importText(operator, rowsOf([7], 'Only'), { replace: true });
    expect(report).toMatchObject({ imported: 1, deleted: 49, rejected: 0 });
    expect(await namesIn(operator)).toEqual([[7, 'Only 7']]);
    expect(await namesIn(operator, 'publishers')).toHaveLength(2);
    expect(await namesIn(operator, 'supports')).toEqual([]);
    await importText(operator, rowsOf([8], 'Back'));
    expect(await namesIn(operator)).toEqual([
      [7, 'Only 7'],
      [8, 'Back 8'],
    ]);
    expect((await visibleCounts(service.database.engine)).left).toEqual([]);
  });

  test('one wrong row refuses the whole import, with its line and reason', async () => {
    const before = await namesIn(operator);
    const text = `id;name;url\n21;Good;https://good.example\n-1;;\n22;Script;javascript:alert(1)\n23;${'x'.repeat(501)};\n`;
    const report = await importText(operator, text, { replace: true });
    expect(report).toMatchObject({ rows: 4, imported: 0, rejected: 3 });
    expect(report.faults.map(({ line, column, reason }) => [line, column, reason])).toEqual([
      [3, 'id', 'not_an_integer'],
      [3, 'name', 'missing'],
      [4, 'url', 'not_a_url'],
      [5, 'name', 'too_long'],
    ]);
    expect(await namesIn(operator)).toEqual(before);
    expect((await visibleCounts(service.database.engine)).left).toEqual([]);
  });
});

describe('in one database', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });

  afterAll(async () => await service.close());

  test('an identifier that occurs twice must have the same values', async () => {
    const { operator } = service;
    expect(await importText(operator, 'id,name\n1,A\n1,A\n')).toMatchObject({ rejected: 0 });
    const report = await importText(operator, 'id,name\n1,A\n2,B\n1,C\n');
    expect(report.faults.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'repeated'],
      [4, 'repeated'],
    ]);
  });

  test('NDJSON is imported, and for an unknown column the nearest name is suggested', async () => {
    const { operator } = service;
    const lines = '{"id":31,"name":"Ünï","category":"books"}\n{"id":"32","name":"B","url":null}\n';
    expect(await importText(operator, lines)).toMatchObject({ imported: 2 });
    const wrong = await importText(operator, '{"id":31,"nane":"A"}\n');
    expect(wrong.faults).toMatchObject([{ line: 1, column: 'nane', reason: 'unknown_field' }]);
    await expect(importText(operator, 'id,nane\n1,A\n')).rejects.toThrow(
      /unknown column "nane". Did you mean "name"\?\s+column "name" is missing/,
    );
  });

  test('a mapping names the columns and codes of another system', async () => {
    const mapping: Mapping = {
      fields: {
        id: { from: 'campaign' },
        name: { from: 'Title' },
        status: { from: 'state', codes: { '1': 'active', '2': 'paused' } },
        category: { value: 'imported' },
      },
    };
    const { operator } = service;
    const text = 'campaign;Title;state;other\n41;Shoes;1;x\n42;Boots;2;y\n';
    expect(await importText(operator, text, { of: 'supports', mapping })).toMatchObject({
      imported: 2,
    });
    const lines = await Array.fromAsync(operator.directoryLines('supports'));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { id: 41, name: 'Shoes', url: null, status: 'active', category: 'imported' },
      { id: 42, name: 'Boots', url: null, status: 'paused', category: 'imported' },
    ]);
    const wrong = await importText(operator, 'campaign,Title,state\n43,X,9\n', { mapping });
    expect(wrong.faults).toMatchObject([{ column: 'status', reason: 'unmapped_code', value: '9' }]);
  });

  test('an import that is aborted changes nothing', async () => {
    const reason = new Error('Interrupted.');
    const command = { of: 'programs', files: [], replace: true } as const;
    const before = await namesIn(service.operator);
    const run = service.operator.importDirectory(command, { signal: AbortSignal.abort(reason) });
    await expect(run).rejects.toThrow('Interrupted.');
    expect(await namesIn(service.operator)).toEqual(before);
  });
});

test('a crash after any statement leaves the old entries or the new ones, never a mixture', async () => {
  const OLD = idsFrom(1, 5).map((id) => [id, `Old ${id}`]);
  const NEW = [[4, 'New 4']];
  /** Imports and replaces the old entries. Only `last` statements of the replacement succeed, as in a crash. */
  const replaceUntil = async (directory: string, last: number) => {
    const database = await openDatabase({ url: `chdb:${directory}`, timeZone: 'UTC' });
    await importText(new LocalOperator(database), rowsOf(idsFrom(1, 5), 'Old'));
    let executed = 0;
    const engine = watchedEngine(database.engine, async (server, statement, watch) => {
      executed += 1;
      if (executed > last) throw new Error('The process is dead.');
      await server.execute(statement, watch);
    });
    const operator = new LocalOperator({ ...database, engine });
    const run = importText(operator, rowsOf([4], 'New'), { replace: true });
    const isDone = await run.then(
      () => true,
      () => false,
    );
    await operator.close();
    return { executed, isDone };
  };
  const place = async (name: string) => {
    const directory = join(home, name);
    await newDatabase(directory, 'UTC');
    return directory;
  };
  const whole = await replaceUntil(await place('whole'), Number.POSITIVE_INFINITY);
  expect(whole).toMatchObject({ isDone: true });
  const every = idsFrom(1, whole.executed - 1);
  const seen: boolean[] = [];
  for (const last of fullOrShort(every, everyNth(every.slice(-7), 4, 1))) {
    const directory = await place(`crash-${last}`);
    await replaceUntil(directory, last);
    const database = await openDatabase({ url: `chdb:${directory}`, timeZone: 'UTC' });
    const operator = new LocalOperator(database);
    const names = await namesIn(operator);
    expect([OLD, NEW]).toContainEqual(names);
    expect((await visibleCounts(database.engine)).left).toEqual([]);
    await operator.close();
    seen.push(names.length === 1);
  }
  // Early crashes leave the old entries. From some statement on, every crash leaves the new ones.
  const firstNew = seen.indexOf(true);
  expect(firstNew).toBeGreaterThan(0);
  expect(seen.slice(firstNew)).not.toContain(false);
});
