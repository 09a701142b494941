import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EngineFailure, type Reader } from '../../../src/engine/engine.ts';
import { findToken } from '../../../src/store/token-table.ts';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { type RawAnswer, send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow } from '../../support/rows/file-rows.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const SALES = '/api/admin/transactions?type=sales&start_date=2026-01-01&end_date=2026-01-31';

/** Text that no response may reveal. */
const CAUSE = 'secret-host-7 refused SELECT record_head FROM transactions';

let failure: Error | undefined;
/** Whether lookups, such as of a token, fail too. Otherwise only reports fail. */
let failsEverywhere = true;
let service: TestService;
let token: string;

/** The real engine, which fails as the test decides. */
const failing = (reader: Reader): Reader => ({
  rows: async (statement) => {
    if (failure !== undefined && failsEverywhere) throw failure;
    return await reader.rows(statement);
  },
  read: (statement, signal) => {
    if (failure !== undefined) throw failure;
    return reader.read(statement, signal);
  },
});

beforeAll(async () => {
  service = await startService({
    parts: (parts) => {
      const reader = failing(parts.reader);
      return { ...parts, reader, findToken: async (hash) => await findToken(reader, hash) };
    },
  });
  token = await service.token({});
  await insertRows(service.database, [fileRow({})]);
});

beforeEach(() => {
  failure = undefined;
  failsEverywhere = true;
});

afterAll(async () => await service.close());

async function ask(target: string, method = 'GET'): Promise<RawAnswer> {
  return await send(service.url, { method, target, headers: [`Authorization: Bearer ${token}`] });
}

const PASSING: readonly (readonly [string, string])[] = [
  ['without an error code', CAUSE],
  ['of the network', `Code: 210. DB::Exception: ${CAUSE} (NETWORK_ERROR)`],
  ['of memory', `Code: 241. DB::Exception: ${CAUSE} (MEMORY_LIMIT_EXCEEDED)`],
];

describe.each(PASSING)('a transient failure of the engine %s', (_, message) => {
  test('is 503 with Retry-After', async () => {
    failure = new EngineFailure(message);
    const answer = await ask(SALES);
    expectProblem(answer, 'database_unavailable');
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(answer.text).not.toContain('secret-host');
  });

  test('ends when the engine answers again', async () => {
    failure = new EngineFailure(message);
    await ask(SALES);
    failure = undefined;
    expect((await ask(SALES)).status).toBe(200);
  });
});

const LASTING: readonly (readonly [string, Error])[] = [
  ['of the statement', new EngineFailure(`Code: 62. DB::Exception: ${CAUSE} (SYNTAX_ERROR)`)],
  ['of the code', new TypeError(CAUSE)],
  ['with the look of an HTTP error', Object.assign(new Error(CAUSE), { statusCode: 418 })],
];

describe.each(LASTING)('a failure %s', (_, error) => {
  test('is 500, and the cause is in the log only', async () => {
    failure = error;
    const logged = service.log.length;
    const answer = await ask(SALES);
    expectProblem(answer, 'internal_error');
    expect(answer.text).not.toMatch(/secret-host|SELECT|DB::|Error:|\.ts/);
    const lines = service.log.slice(logged).map((line) => JSON.parse(line));
    const line = lines.find(({ level }) => level === 50);
    expect(line?.err.message).toContain('secret-host');
    expect(line?.req_id).toBe(answer.headers.get('x-request-id'));
  });
});

/** In `npm test` only GET, because each request takes long: the service pauses between its retries. */
const METHODS = fullOrShort(['GET', 'HEAD'], ['GET']);

test.each(METHODS)('%s gets 503 or 500 if only the statements of reports fail', async (method) => {
  failsEverywhere = false;
  failure = new EngineFailure(CAUSE);
  const answer = await ask(SALES, method);
  expect(answer.status).toBe(503);
  if (method === 'GET') expectProblem(answer, 'database_unavailable');
  failure = new TypeError(CAUSE);
  expect((await ask(SALES, method)).status).toBe(500);
});

test('HEAD fails like GET', async () => {
  failure = new EngineFailure(CAUSE);
  const head = await ask(SALES, 'HEAD');
  expect({ status: head.status, body: head.body }).toEqual({ status: 503, body: '' });
  expect(head.headers.get('retry-after')).toMatch(/^\d+$/);
});

describe('the health of the service', () => {
  test('is live and ready while the engine answers', async () => {
    const live = await ask('/health/live');
    const ready = await ask('/health/ready');
    expect([live.status, JSON.parse(live.body)]).toEqual([200, { status: 'live' }]);
    expect([ready.status, JSON.parse(ready.body)]).toEqual([200, { status: 'ready' }]);
  });

  test.each([...PASSING, ['of any other kind', `Code: 62. DB::Exception: ${CAUSE}`]] as const)(
    'is live but not ready during a failure %s',
    async (_, message) => {
      failure = new EngineFailure(message);
      expect((await ask('/health/live')).status).toBe(200);
      // A successful probe is valid for a second.
      await expect.poll(async () => (await ask('/health/ready')).status).toBe(503);
      const ready = await ask('/health/ready');
      expectProblem(ready, 'database_unavailable');
      expect(ready.text).not.toContain('secret-host');
    },
  );

  test('needs no token', async () => {
    for (const target of ['/health/live', '/health/ready']) {
      expect((await send(service.url, { target })).status).toBe(200);
    }
  });
});
