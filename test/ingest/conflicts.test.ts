import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { importFiles } from '../../src/ingest/import-files.ts';
import { clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import { startImports, type TestImports } from '../support/databases/imports.ts';
import { csv } from '../support/rows/csv.ts';
import { type FileRow, fileRow } from '../support/rows/file-rows.ts';
import { fullOrShort } from '../support/run/test-extent.ts';

let imports: TestImports;

beforeAll(async () => {
  imports = await startImports();
});

afterEach(async () => await imports.clear());

afterAll(async () => await imports.close());

const STORED = fileRow({ transaction_id: 7, status: 2, publisher_id: 100 });

const LATER: FileRow = { ...STORED, updated_at: '2026-09-01 00:00:00' };

/** One transaction for each refused change: of the type, the date of creation or the publisher. */
const MOVES: readonly FileRow[] = [
  { type: 'leads' },
  { created_at: '2026-01-15 12:00:01' },
  { created_at: '2025-01-15 12:00:00' },
  { publisher_id: 101 },
].map((change, at) => ({ ...LATER, ...change, transaction_id: 7 + at }));

/** The same transactions before these changes. */
const UNMOVED = MOVES.map(({ transaction_id = 0 }) => ({ ...STORED, transaction_id }));

/** The faults of all moves in a file, with the first move at the given line, and `more` added to the identifiers. */
const moved = (file: string, first: number, more = 0) =>
  MOVES.map(({ transaction_id }, at) => ({
    file,
    line: first + at,
    column: 'transaction_id',
    reason: 'moved',
    value: String(more + Number(transaction_id)),
  }));

/** What both roles see of the transactions in `MOVES`, as sales or leads. */
async function shown() {
  const found = [];
  for (const kind of ['sales', 'leads'] as const) {
    for (const role of ['admin', 'affiliate'] as const)
      found.push(...(await imports.read(role, kind)));
  }
  return found.filter(({ transaction_id }) =>
    MOVES.some((row) => row.transaction_id === transaction_id),
  );
}

test('an import that moves the type, the date of creation or the publisher of a stored transaction is refused', async () => {
  await imports.importAll([csv(UNMOVED)]);
  const before = await shown();
  const report = await imports.importAll([csv([fileRow({}), ...MOVES])]);
  expect(report.faults).toEqual(moved('file 1', 3));
  expect(report).toMatchObject({ imported: 0, rejected: 4, reasons: { moved: 4 } });
  expect(await shown()).toEqual(before);
  expect(await imports.visible()).toEqual({ admin: 4, affiliate: 4, left: [] });
});

test('an import that moves transactions within one file, or from one file to the next, is refused', async () => {
  const others = (row: FileRow): FileRow => ({
    ...row,
    transaction_id: 100 + Number(row.transaction_id),
  });
  const report = await imports.importAll([
    csv([...UNMOVED, fileRow({}), ...MOVES, ...UNMOVED.map(others)]),
    csv(MOVES.map(others)),
  ]);
  expect(report.faults).toEqual([
    ...moved('file 1', 2),
    ...moved('file 1', 7),
    ...moved('file 1', 11, 100),
    ...moved('file 2', 2, 100),
  ]);
  expect(await imports.visible()).toEqual({ admin: 0, affiliate: 0, left: [] });
});

test('a row that would move its transaction is rejected, and the others are imported', async () => {
  await imports.importAll([csv([STORED])]);
  const others = [fileRow({}), fileRow({})];
  const report = await imports.importAll([csv([...others, { ...LATER, publisher_id: 101 }])], {
    rejects: true,
  });
  expect(report).toMatchObject({ imported: 2, rejected: 1 });
  expect(report.rejectedCsv).toMatch(/^"file 1","4","transaction_id would move the transaction/);
  expect(await shown()).toMatchObject([{ publisher_id: 100 }, { publisher_id: 100 }]);
  expect(await imports.visible()).toMatchObject({ admin: 3, affiliate: 3 });
});

test('two versions of a transaction with the same date are refused if their values differ', async () => {
  const dated = { ...STORED, updated_at: '2026-02-01 00:00:00', amount: '1.5' };
  const equal = { ...dated, transaction_id: 8 };
  const report = await imports.importAll([
    csv([
      ...[dated, { ...dated, pid: 'other' }],
      ...[equal, { ...equal, amount: '1.50', updated_at: '2026-02-01T00:00:00+01:00' }],
    ]),
  ]);
  expect(report.faults).toMatchObject([
    { line: 2, column: 'transaction_id', reason: 'ambiguous' },
    { line: 3, column: 'transaction_id', reason: 'ambiguous' },
  ]);
  expect(await imports.visible()).toMatchObject({ admin: 0, affiliate: 0 });
});

test('all versions in conflict are rejected, and rows that are faulty for other reasons, which conflict with none', async () => {
  const other = { ...STORED, transaction_id: 8 };
  const rows = [
    ...[STORED, fileRow({ status: 7 }), { ...STORED, pid: 'other' }, fileRow({})],
    ...[other, { ...other, publisher_id: 'x' }],
  ];
  const report = await imports.importAll([csv(rows)], { rejects: true });
  expect(report).toMatchObject({
    imported: 2,
    rejected: 4,
    reasons: { ambiguous: 2, not_a_status: 1, not_an_integer: 1 },
  });
});

test('conflicts are found wherever the identifiers are divided into ranges', async () => {
  const half = fullOrShort(250, 100);
  const rows = Array.from({ length: 2 * half }, (_, at) => fileRow({ transaction_id: 5000 + at }));
  await imports.importAll([csv(rows.slice(0, half))]);
  // Every transaction is in conflict, so that one missed between two ranges would be noticed.
  const second = [
    ...rows.slice(0, half).map((row) => ({ ...row, publisher_id: 103 })),
    ...rows
      .slice(half)
      .flatMap((row, at) => [row, { ...row, ...(at % 2 ? { pid: 'x' } : { type: 'leads' }) }]),
  ];
  const path = join(imports.directory, 'portions.csv');
  await writeFile(path, csv(second));
  const { engine, timeZone, topology } = imports.service.database;
  const nodes = await clusterNodesOf(engine, topology);
  for (const rowsAtATime of fullOrShort([10, 100, 1_000_000], [70])) {
    const report = await importFiles(
      { files: [{ path, name: 'portions.csv' }], type: undefined, round: false },
      { nodes, timeZone, workDirectory: join(imports.directory, 'work'), rowsAtATime },
    );
    expect(report.reasons).toEqual({ moved: 2 * half, ambiguous: half });
    expect(report.imported).toBe(0);
  }
});
