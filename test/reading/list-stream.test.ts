import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOfDay } from '../../src/contract/query/calendar.ts';
import { RECORD_FIELDS } from '../../src/contract/record/records.ts';
import { EngineFailure, type Reader } from '../../src/engine/engine.ts';
import { countRows } from '../../src/engine/row-count.ts';
import type { ListPlan } from '../../src/plan/list-plan.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { readList } from '../../src/reading/list-stream.ts';
import { TableVersions } from '../../src/reading/table-versions.ts';
import { runningQueries } from '../support/databases/running-queries.ts';
import { listText } from '../support/requests/list-text.ts';
import { planWith } from '../support/requests/plans.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { everyNth } from '../support/run/sampled.ts';
import { fullOrShort } from '../support/run/test-extent.ts';

const TIME_ZONE = 'Europe/Paris';
const ROWS = fullOrShort(30_000, 16_000);
/** Rows per second on 25 October, so few that they fill more than an hour. */
const PER_SECOND = fullOrShort(5, 3);
const never = new AbortController().signal;

/** The sales of a year. Many of 25 October are in the hour that occurs twice in Paris. */
const PLAN = planWith({
  role: 'admin',
  from: startOfDay('2026-01-01', TIME_ZONE),
  until: startOfDay('2026-12-31', TIME_ZONE, 1),
});

let service: TestService;
let whole: string;

beforeAll(async () => {
  service = await startService({ timeZone: TIME_ZONE, settings: { memoryCache: 0 } });
  // 00:00 UTC on 25 October is 02:00 in Paris, for the first time of two.
  const instants = [
    ["toDateTime('2026-02-01 00:00:00', 'UTC') + number * 300", 0],
    [`toDateTime('2026-10-25 00:00:00', 'UTC') + intDiv(number, ${PER_SECOND})`, ROWS],
  ] as const;
  for (const [instant, first] of instants) {
    await service.database.engine.execute(
      plainStatement(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, created_at, updated_at)
SELECT 'sales', ${first} + number, 1, 1, 1, 2, ${instant}, ${instant} FROM numbers(${ROWS})`),
    );
  }
  whole = await textOf(service.database.engine);
  expect(whole.split('\n')).toHaveLength(2 * ROWS + 1);
});

afterAll(async () => await service.close());

const textOf = async (reader: Reader, plan = PLAN): Promise<string> =>
  await listText(reader, plan, TIME_ZONE);

/** The identifiers of the records, in order. */
const idsIn = (text: string): readonly string[] => text.match(/(?<="transaction_id":)\d+/g) ?? [];

interface FailingReader extends Reader {
  /** For each failure, the number of rows that all statements together had returned before it. */
  readonly failedAt: readonly number[];
}

/** A reader that fails once for each entry, after that many blocks since the previous failure. */
function failing(
  afterBlocks: readonly number[],
  error = new EngineFailure('Killed.'),
): FailingReader {
  const { engine } = service.database;
  const left = [...afterBlocks];
  const failedAt: number[] = [];
  let blocks = left.shift();
  let rows = 0;
  return {
    failedAt,
    rows: (statement) => engine.rows(statement),
    async *read(statement, signal) {
      for await (const block of engine.read(statement, signal)) {
        if (blocks === 0) {
          blocks = left.shift();
          failedAt.push(rows);
          throw error;
        }
        if (blocks !== undefined) blocks -= 1;
        rows += countRows(block, 'framed');
        yield block;
      }
    },
  };
}

const FAILURES: readonly (readonly [string, readonly number[]])[] = [
  ['the first block', [0]],
  ['a middle block', [7]],
  ['many blocks, each a little later', [1, 2, 3, 4, 5]],
  ['every run after one block', [1, 1, 1, 1, 1, 1, 1, 1]],
];

test.each(everyNth(FAILURES, 2))(
  'after a failure of the engine at %s, no row is missing or repeated',
  async (_, blocks) => {
    const reader = failing(blocks);
    expect(await textOf(reader)).toBe(whole);
    expect(reader.failedAt).toHaveLength(blocks.length);
  },
);

/** The day whose records are all in the hour that occurs twice: some in the first one, some in the second. */
const OCTOBER = {
  ...PLAN,
  from: startOfDay('2026-10-25', TIME_ZONE),
  until: startOfDay('2026-10-25', TIME_ZONE, 1),
};

test('a stream that resumes in the hour that occurs twice skips and repeats no record', async () => {
  const undisturbed = await textOf(service.database.engine, OCTOBER);
  const failedAt: number[] = [];
  for (const blocks of fullOrShort([1, 4, 8, 12, 16, 20], [2, 10])) {
    const reader = failing([blocks]);
    expect(await textOf(reader, OCTOBER)).toBe(undisturbed);
    failedAt.push(...reader.failedAt);
  }
  // Some failures are in the first of the two hours, and some in the second.
  const rowsOfHour = 3600 * PER_SECOND;
  expect(failedAt.filter((rows) => rows < rowsOfHour)).not.toEqual([]);
  expect(failedAt.filter((rows) => rows > rowsOfHour && rows < 2 * rowsOfHour)).not.toEqual([]);
});

const PARTICULARS: readonly (readonly [string, Partial<ListPlan>])[] = [
  ['the newest first', { order: 'desc' }],
  ['of one program, as CSV', { form: 'csv', programIds: [1] }],
  ['by the date of the last change, the newest first', { dateField: 'updated_at', order: 'desc' }],
  ['as CSV', { form: 'csv' }],
  ['as lines', { form: 'ndjson' }],
  ['with some fields that do not tell their position', { fields: RECORD_FIELDS.admin.slice(1, 9) }],
  ['by the date of the last change', { dateField: 'updated_at' }],
];

/** `npm test` has only the first case, which changes the order, and the last one, which changes the date. */
test.each(everyNth(PARTICULARS, 6))(
  'a stream of records %s resumes like any other',
  async (_, particulars) => {
    const plan = { ...PLAN, ...particulars };
    const undisturbed = await textOf(service.database.engine, plan);
    expect(undisturbed.match(/\n/g)).toHaveLength(2 * ROWS);
    const reader = failing([0, 1, 2, 3, 1]);
    expect(await textOf(reader, plan)).toBe(undisturbed);
    expect(reader.failedAt).toHaveLength(5);
    if (plan.order === 'desc') expect(idsIn(undisturbed)).toEqual([...idsIn(whole)].reverse());
  },
);

test('after failures of the query for the position, no row is missing', async () => {
  const { engine } = service.database;
  const undisturbed = await textOf(engine, OCTOBER);
  const reader = failing([1]);
  let failures = 0;
  const rows: Reader['rows'] = async (statement) => {
    if (statement.text.includes('AS created') && failures < 3) {
      failures += 1;
      throw new EngineFailure('Killed.');
    }
    return await engine.rows(statement);
  };
  expect(await textOf({ ...reader, rows }, OCTOBER)).toBe(undisturbed);
  expect([reader.failedAt.length, failures]).toEqual([1, 3]);
});

test('a stream that has sent records resumes, also after a failure that is not transient', async () => {
  const { engine } = service.database;
  const goesOn: boolean[] = [];
  const reader: Reader = {
    rows: (statement) => engine.rows(statement),
    read(statement, signal) {
      goesOn.push(statement.priority === 'resumed');
      const isSecond = goesOn.length === 2;
      if (isSecond) throw new EngineFailure('Code: 62. DB::Exception: A fault. (SYNTAX_ERROR)');
      return engine.read(statement, signal);
    },
  };
  expect(await textOf(reader)).toBe(whole);
  expect(goesOn.length).toBeGreaterThan(2);
  expect(goesOn).toEqual(goesOn.map((_, at) => at > 0));
});

test.each(['asc', 'desc'] as const)(
  'rows that are imported right before a long period is read (%s) are all in the response',
  async (order) => {
    const { engine } = service.database;
    const kind = order === 'asc' ? 'leads' : 'clics';
    const instants = ['2024-02-03', '2026-03-04', '2026-11-30', '2027-05-06'];
    const reader: Reader = {
      read: (statement, signal) => engine.read(statement, signal),
      async rows(statement) {
        const rows = await engine.rows(statement);
        const instant = `toDateTime(arrayJoin(['${instants.join("','")}']), 'UTC')`;
        await engine.execute(
          plainStatement(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, created_at, updated_at)
SELECT '${kind}', toYYYYMM(${instant} AS at), 1, 1, 1, 2, at, at`),
        );
        return rows;
      },
    };
    const years = [
      startOfDay('2020-01-01', TIME_ZONE),
      startOfDay('2029-12-31', TIME_ZONE),
    ] as const;
    const plan = { ...PLAN, kind, order, from: years[0], until: years[1] } as const;
    const ids = ['202402', '202603', '202611', '202705'];
    expect(idsIn(await textOf(reader, plan))).toEqual(order === 'asc' ? ids : ids.reverse());
  },
);

test('a stream fails when the engine fails repeatedly without a further row', async () => {
  const always = [2, ...Array.from({ length: 100 }, () => 0)];
  await expect(textOf(failing(always))).rejects.toThrow('Killed.');
});

test('an error that is not a failure of the engine is not retried', async () => {
  const reader = failing([3, 3], new TypeError('A fault.') as unknown as EngineFailure);
  await expect(textOf(reader)).rejects.toThrow('A fault.');
});

test('a client that stalls releases the engine and gets every row once', async () => {
  const { engine } = service.database;
  const blocks: Uint8Array[] = [];
  for await (const block of readList(
    PLAN,
    { reader: engine, timeZone: TIME_ZONE, tableVersions: new TableVersions(engine) },
    never,
  )) {
    blocks.push(block);
    if (blocks.length !== 3 && blocks.length !== 9) continue;
    await expect.poll(async () => await runningQueries(engine)).toEqual([]);
  }
  expect(Buffer.concat(blocks).toString()).toBe(whole);
});
