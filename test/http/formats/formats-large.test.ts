import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainStatement } from '../../../src/plan/sql.ts';
import { TRANSACTION_TABLES } from '../../../src/schema/transaction-tables.ts';
import type { StoreKind } from '../../support/databases/tested-stores.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import {
  arrowColumns,
  type Columns,
  type FileColumns,
  parquetColumns,
} from '../../support/rows/file-columns.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

/** Rows for three row groups of Parquet and five batches of Arrow. In `npm test`, for two and three. */
const ROWS = fullOrShort(300_000, 140_000);
/** Seconds between groups of three rows, so that all rows are within two months. */
const SECONDS = fullOrShort(50, 110);

/** Fields of every type, including those that are null now and then. In `npm test`, one of each type. */
const FIELDS = [
  ...['transaction_id', 'amount', 'subid', 'country', 'status', 'validation_date'],
  ...fullOrShort(['publisher_id', 'remu_publisher', 'coupon', 'status_label', 'created_at'], []),
];
const DATES = ['validation_date', 'created_at'];

const LIST = `/api/admin/transactions?type=sales&start_date=2026-03-01&end_date=2026-04-30&fields=${FIELDS}`;

/** Each field with nulls has them at its own interval, from every second row to runs of 70,001 rows. */
const INSERT = `INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, remu_publisher, amount, subid, coupon, country, status, validation_date, created_at, updated_at)
SELECT 'sales', number, 10, 100 + number % 7, 1,
  if(number % 5 = 0, NULL, toDecimal64(number, 6) / 8),
  if(intDiv(number, 70001) % 2 = 1, NULL, toDecimal64(number, 6) / 1000),
  if(number % 11 = 0, NULL, repeat('é', number % 23)),
  if(intDiv(number, 1000) % 3 = 0, NULL, concat('COUPON', toString(number % 3001))),
  if(number % 2 = 0, NULL, ['FR', 'BE', 'DE'][1 + number % 3]),
  number % 3, if(number % 3 = 1, at + 86400, NULL), at, at
FROM (SELECT number, toDateTime(1772409600 + intDiv(number, 3) * ${SECONDS}, 'UTC') AS at FROM numbers(${ROWS}))
SETTINGS max_insert_threads = 1`;

const READERS: Readonly<Record<string, (bytes: Uint8Array) => FileColumns | Promise<FileColumns>>> =
  { parquet: parquetColumns, arrow: arrowColumns };

/** A full run also tests a server, which writes its files itself, but in the same format as the embedded engine. */
const STORES = fullOrShort<readonly StoreKind[]>(['embedded', 'server'], ['embedded']);

describe.each(STORES)(`a file of ${ROWS} rows of the store %s`, (store) => {
  let service: TestService;
  let token: string;
  let expected: Columns;

  beforeAll(async () => {
    service = await startService({
      store,
      timeZone: 'UTC',
      settings: { memoryCache: 0 },
    });
    token = await service.token({});
    const { engine } = service.database;
    // Administrators' lists of all websites are read from the first table, so the others can stay empty.
    for (const { table } of TRANSACTION_TABLES.slice(1)) {
      await engine.execute(plainStatement(`DROP VIEW ${table}_feed`));
    }
    await engine.execute(plainStatement(INSERT));
    const lines = (await (await service.get(`${LIST}&format=ndjson`, token)).text()).split('\n');
    const rows = lines.slice(0, -1).map((line): Record<string, unknown> => JSON.parse(line));
    expected = Object.fromEntries(
      FIELDS.map((name) => [name, rows.map((row) => asInFiles(name, row[name]))]),
    );
  });

  afterAll(async () => await service.close());

  test.each(Object.entries(READERS))(
    'in %s has the rows of JSON, in the same order',
    async (format, read) => {
      const answer = await service.get(`${LIST}&format=${format}`, token);
      const { columns, pieces } = await read(new Uint8Array(await answer.arrayBuffer()));
      expect(pieces).toBeGreaterThan(fullOrShort(2, 1));
      expect(Object.keys(columns)).toEqual(FIELDS);
      for (const name of FIELDS) {
        expect(columns[name]).toHaveLength(ROWS);
        expect(firstDifference(columns[name] ?? [], expected[name] ?? []), name).toBeUndefined();
      }
    },
  );
});

const asInFiles = (name: string, value: unknown): unknown =>
  DATES.includes(name) && typeof value === 'string'
    ? Date.parse(`${value.replace(' ', 'T')}Z`)
    : value;

/** The first difference of two lists: much cheaper than a diff of lists of this length. */
function firstDifference(found: readonly unknown[], expected: readonly unknown[]) {
  const at = found.findIndex((value, index) => value !== expected[index]);
  return at < 0 ? undefined : { at, found: found[at], expected: expected[at] };
}
