import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readRetention } from '../../../src/contract/record/retention.ts';
import { retain } from '../../../src/database/retain.ts';
import { EngineBusy, EngineFailure, type Reader } from '../../../src/engine/engine.ts';
import type { Statement } from '../../../src/plan/sql.ts';
import { clusterNodesOf } from '../../../src/schema/cluster-nodes.ts';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';

/** More rows than the month cache returns as a complete list. */
const ROWS = 12_000;
const LIST = `/api/admin/transactions?${MANY_SALES}`;

let service: TestService;
let token: string;

/** Runs before each list that the engine reads. */
let beforeReading: (statement: Statement) => Promise<void>;
/** Whether other requests wait for the engine. */
let isContended = false;

const held = (reader: Reader): Reader =>
  new Proxy(reader, {
    get(target, name) {
      if (name === 'read') return readHeld;
      if (name === 'isContended') return isContended;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
      async function* readHeld(...[statement, signal]: Parameters<Reader['read']>) {
        await beforeReading(statement);
        yield* target.read(statement, signal);
      }
    },
  });

beforeAll(async () => {
  beforeReading = async () => undefined;
  service = await startService({
    parts: (parts) => ({ ...parts, reader: held(parts.reader) }),
  });
  token = await service.token({});
  await insertManySales(service.database.engine, ROWS);
});

beforeEach(async () => {
  isContended = false;
  beforeReading = async () => undefined;
  await service.monthCache?.settled();
});

afterAll(async () => await service.close());

const idsIn = (records: readonly { readonly transaction_id: number }[]) =>
  records.map(({ transaction_id }) => transaction_id);

test.each([
  ['asc', Array.from({ length: ROWS }, (_, at) => at)],
  ['desc', Array.from({ length: ROWS }, (_, at) => ROWS - 1 - at)],
] as const)(
  'a long list begins before the engine has read a row, in order %s',
  async (order, ids) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    beforeReading = async () => await promise;
    const response = await service.get(`${LIST}&order=${order}`, token);
    const reader = response.body?.getReader();
    const chunks = [(await reader?.read())?.value ?? new Uint8Array()];
    expect(String.fromCharCode(chunks[0]?.[0] ?? 0)).toBe('[');
    resolve();
    for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
      chunks.push(next.value);
    }
    expect(idsIn(JSON.parse(Buffer.concat(chunks).toString()))).toEqual(ids);
  },
);

test.each(['ndjson', 'csv'])('a list as %s is the same without the month cache', async (format) => {
  const cached = await (await service.get(`${LIST}&format=${format}`, token)).text();
  // The month cache returns no list by `updated_at`. Each row has equal dates, so this list must be the same.
  const read = await service.get(`${LIST}&format=${format}&date_field=updated_at`, token);
  expect(cached).toBe(await read.text());
  expect(cached.length).toBeGreaterThan(1_000_000);
});

const ask = async () =>
  await send(service.url, {
    method: 'GET',
    target: LIST,
    headers: [`Authorization: Bearer ${token}`],
  });

test('while others wait for the engine, no record is sent before it answers', async () => {
  isContended = true;
  beforeReading = async () => {
    throw new EngineFailure('Code: 62. DB::Exception: wrong (SYNTAX_ERROR)');
  };
  expectProblem(await ask(), 'internal_error');
});

test('a failure of the engine after the first records cuts the response', async () => {
  beforeReading = async () => {
    throw new TypeError('Cannot read');
  };
  const response = await service.get(LIST, token);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow('terminated');
});

test('a response that has begun is resumed if the queue of the engine is full meanwhile', async () => {
  const claims: (string | undefined)[] = [];
  beforeReading = async ({ priority }) => {
    claims.push(priority);
    if (claims.length === 1) throw new EngineBusy();
  };
  const response = await service.get(LIST, token);
  expect(await response.json()).toHaveLength(ROWS);
  expect(claims).toEqual(['resumed', 'resumed']);
});

test('a removal by retention after the first records cuts the response', async () => {
  beforeReading = async () => {
    beforeReading = async () => undefined;
    const { engine, topology } = service.database;
    const retention = readRetention('sales=5 months');
    const today = Temporal.PlainDate.from('2026-11-24');
    await retain(
      await clusterNodesOf(engine, topology),
      'Europe/Paris',
      { retention, isDryRun: false },
      {},
      today,
    );
  };
  const response = await service.get(LIST, token);
  await expect(response.text()).rejects.toThrow('terminated');
});
