import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reader } from '../../../src/engine/engine.ts';
import type { Statement } from '../../../src/plan/sql.ts';
import { ENDLESS } from '../../support/databases/endless-query.ts';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { timeUntil } from '../../support/databases/running-queries.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { withinMs } from '../../support/run/test-extent.ts';

const CROWD = 6;

const REPORTS = [
  ['summaries', `/api/affiliate/transactions/summary?${MANY_SALES}`],
  ['performance', '/api/affiliate/performance?start_date=2026-03-01&end_date=2026-03-01'],
  ['files', `/api/affiliate/transactions?${MANY_SALES}&format=parquet`],
] as const;

const STORES = TESTED_STORES.filter((store) => store !== 'cluster');

describe.each(STORES)('on the store %s', (store) => {
  let service: TestService;
  /** The client whose queries never end. */
  let crowding: string | undefined;
  const clients: (string | undefined)[] = [];

  const endlessFor = (reader: Reader): Reader => ({
    rows: (statement) => reader.rows(statement),
    read: (statement, signal) => {
      clients.push(statement.client);
      return reader.read(crowded(statement), signal);
    },
  });

  const crowded = (statement: Statement): Statement =>
    crowding !== undefined && statement.client === crowding
      ? { ...statement, ...ENDLESS }
      : statement;

  beforeAll(async () => {
    service = await startService({
      store,
      parts: (parts) => ({ ...parts, memoryCache: 0, reader: endlessFor(parts.reader) }),
    });
    await insertManySales(service.database.engine, 5000, 10);
  });

  afterAll(async () => await service.close());

  const tokenOf = async (...publisherIds: readonly number[]) =>
    await service.token({ role: 'affiliate', publisherIds });

  /** The client for which the service counts the queries of a token. */
  async function clientOf(token: string): Promise<string> {
    clients.length = 0;
    await (await service.get(REPORTS[0][1], token)).text();
    expect(clients).toEqual([expect.any(String)]);
    return clients[0] ?? '';
  }

  test.each(REPORTS)('a client with many %s leaves room for another one', async (_, path) => {
    const [busy, other] = [await tokenOf(101), await tokenOf(102)];
    crowding = await clientOf(busy);
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${busy}` };
    const crowd = Array.from({ length: CROWD }, async () =>
      fetch(service.url + path, { headers, signal: leaving.signal }).catch(() => undefined),
    );
    const isBusy = (queries: readonly string[]) => queries.length > 0;
    await timeUntil(service.database.engine, isBusy, withinMs(10_000));
    const response = await service.get(path, other);
    expect(response.status).toBe(200);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
    leaving.abort();
    await Promise.all(crowd);
    crowding = undefined;
  });

  test('all tokens of the same websites are one client', async () => {
    const client = await clientOf(await tokenOf(101, 102));
    expect(await clientOf(await tokenOf(102, 101))).toBe(client);
    expect(await clientOf(await tokenOf(101))).not.toBe(client);
    expect(await clientOf(await tokenOf(101_102))).not.toBe(client);
  });
});
