import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { Random } from '../../../src/demo/random/random.ts';
import type { Reader } from '../../../src/engine/engine.ts';
import { plainStatement, type Statement } from '../../../src/plan/sql.ts';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { download } from '../../support/requests/paced-download.ts';
import { send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { testInFull as test } from '../../support/run/test-in-full.ts';

// Only in the full run. In `npm test`, failing-engine.test.ts and list-stream.test.ts have engines that fail.

const ROWS = 30_000;
const ROUNDS = 8;
const path = `/api/admin/transactions?${MANY_SALES}`;

let service: TestService;
let token: string;
let whole: Buffer;
/** The rows at which the next responses of the server fail, one for each. */
let faults: number[] = [];
/** Numbers of bytes after which the queries of a response are killed. */
let kills: number[] = [];
/** The number of bytes that were read from the server so far. */
let read = 0;
/** The number of report queries that the server got. */
let asked = 0;

beforeAll(async () => {
  service = await startService({
    store: 'server',
    parts: (parts) => ({ ...parts, reader: faulty(parts.reader) }),
  });
  token = await service.token({});
  await insertManySales(service.database.engine, ROWS);
  whole = await body();
  expect(JSON.parse(whole.toString())).toHaveLength(ROWS);
});

afterEach(() => {
  faults = [];
});

afterAll(async () => await service.close());

/** The real server, which fails at the rows in `faults`. Its queries are killed after the bytes in `kills`. */
const faulty = (reader: Reader): Reader => ({
  rows: (statement) => reader.rows(statement),
  async *read(statement, signal) {
    asked += 1;
    const row = faults.shift();
    const asking = row === undefined ? statement : failingAt(row, statement);
    for await (const block of reader.read(asking, signal)) {
      read += block.length;
      // Reading pauses during the kill, so that the query cannot end before it is killed.
      if ((kills[0] ?? Infinity) <= read) {
        kills.shift();
        await killReports();
      }
      yield block;
    }
  },
});

/** The statement, changed so that the server runs out of memory at a row. */
function failingAt(row: number, statement: Statement): Statement {
  const fault = `throwIf(transaction_id = ${row}, 'A fault.', toInt16(241))`;
  const text = statement.text.replace('record_head', `substring(record_head, 1 + ${fault})`);
  return { ...statement, text: `${text}\nSETTINGS allow_custom_error_code_in_throwif = 1` };
}

const body = async () => await download({ url: service.url + path, token });

/** `record_head` is split in the text, so that two of these statements do not kill each other. */
const KILL_REPORTS = plainStatement("KILL QUERY WHERE query LIKE concat('%record', '_head%')");

const killReports = async () => await service.database.engine.execute(KILL_REPORTS);

const places: readonly (readonly [string, number])[] = [
  ['the first row', 0],
  ['a row of the first block', 700],
  ['a middle row', 17_001],
  ['the last row', ROWS - 1],
];

test.each(places)('after three failures of the server at %s, no row is missing', async (_, row) => {
  faults = [row, row, row];
  expect((await body()).equals(whole)).toBe(true);
  expect(faults).toEqual([]);
});

test('after failures of the server at ever later rows, no row is missing', async () => {
  faults = [0, 3000, 9000, 15_000, 21_000, 27_000, 29_998, 29_999];
  expect((await body()).equals(whole)).toBe(true);
  expect(faults).toEqual([]);
});

test.each(places)('if the server always fails at %s, the body never parses', async (_, row) => {
  faults = Array.from({ length: 200 }, () => row);
  const headers = [`Authorization: Bearer ${token}`];
  // Both at once, because each takes long: the service pauses between its retries.
  const [answer, downloaded] = await Promise.all([
    send(service.url, { target: path, headers }),
    body().catch((error: unknown) => error),
  ]);
  expect(answer.text).not.toContain('__exception__');
  expect(answer.text).not.toContain('A fault.');
  if (answer.status === 503) return expectProblem(answer, 'database_unavailable');
  expect(answer.status).toBe(200);
  expect(answer.text.endsWith('\r\n0\r\n\r\n')).toBe(false);
  expect(() => JSON.parse(answer.body)).toThrow(SyntaxError);
  expect(downloaded).toMatchObject({ message: expect.stringMatching(/cut|terminated/) });
});

test('a response is the same if its queries are killed at random moments', async () => {
  const random = new Random(11);
  const before = asked;
  for (let round = 0; round < ROUNDS; round += 1) {
    const after = Array.from({ length: 6 }, () => random.integer(0, whole.length / 2));
    kills = after.toSorted((one, other) => one - other);
    read = 0;
    expect((await body()).equals(whole), `killed after ${after} bytes`).toBe(true);
  }
  // A round starts one query, and another one after each kill that hits. More than one a round must hit on average.
  expect(asked - before).toBeGreaterThan(2 * ROUNDS);
});
