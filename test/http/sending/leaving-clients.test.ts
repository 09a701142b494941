import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cacheTokens } from '../../../src/auth/token-cache.ts';
import type { Reader } from '../../../src/engine/engine.ts';
import { select } from '../../../src/plan/select.ts';
import { findToken } from '../../../src/store/token-table.ts';
import { ENDLESS } from '../../support/databases/endless-query.ts';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { runningQueries, timeUntil } from '../../support/databases/running-queries.ts';
import type { StoreKind } from '../../support/databases/tested-stores.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fullOrShort, IS_FULL, withinMs } from '../../support/run/test-extent.ts';

const ROWS = fullOrShort(100_000, 10_000);
const CLIENTS = fullOrShort(1000, 16);
/** Clients that read their whole download meanwhile. */
const STAYING = fullOrShort(8, 3);
const path = `/api/admin/transactions?${MANY_SALES}`;

const isIdle = (queries: readonly string[]): boolean => queries.length === 0;
const isBusy = (queries: readonly string[]): boolean => queries.length > 0;

/** `npm test` has only the embedded engine, because clickhouse-engine.test.ts aborts queries of a server. */
const STORES = fullOrShort<readonly StoreKind[]>(['embedded', 'server'], ['embedded']);

describe.each(STORES)('with the %s engine', (store) => {
  let service: TestService;
  let token: string;
  let isFruitless = false;

  beforeAll(async () => {
    service = await startService({
      store,
      parts: (parts) => ({
        ...parts,
        reader: orFruitless(parts.reader),
        findToken: cacheTokens((hash) => findToken(parts.reader, hash)),
      }),
    });
    token = await service.token({});
    await insertManySales(service.database.engine, ROWS);
  });

  afterAll(async () => await service.close());

  const orFruitless = (reader: Reader): Reader => ({
    rows: (statement, signal) =>
      reader.rows(
        isFruitless && statement.isAggregation
          ? select(statement.row, { ...ENDLESS, isAggregation: true })
          : statement,
        signal,
      ),
    read: (statement, signal) => reader.read(isFruitless ? ENDLESS : statement, signal),
  });

  /**
   * Starts a download and disconnects after a number of milliseconds. By then, the headers or a part of the body
   * may have arrived. Returns whether the response had ended.
   */
  async function leave(after: number, more: Record<string, string> = {}): Promise<boolean> {
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${token}`, ...more };
    const response = fetch(service.url + path, { headers, signal: leaving.signal });
    const body = response.then(async (answer) => await answer.text());
    await Promise.race([sleep(after), body.catch(() => undefined)]);
    leaving.abort();
    return await body.then(
      () => true,
      () => false,
    );
  }

  test('a client that disconnects during a download frees the engine within a second', async () => {
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(service.url + path, { headers, signal: leaving.signal });
    expect(response.status).toBe(200);
    if (IS_FULL) expect(isBusy(await runningQueries(service.database.engine))).toBe(true);
    leaving.abort();
    expect(await timeUntil(service.database.engine, isIdle, withinMs(10_000))).toBeLessThan(
      withinMs(1000),
    );
  });

  test('a client that disconnects before the first row frees the engine within a second', async () => {
    isFruitless = true;
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const left = fetch(service.url + path, { headers, signal: leaving.signal }).catch(() => null);
    const running = async () => await runningQueries(service.database.engine);
    await expect.poll(running).not.toEqual([]);
    leaving.abort();
    await left;
    const time = await timeUntil(service.database.engine, isIdle, withinMs(10_000));
    isFruitless = false;
    expect(time).toBeLessThan(withinMs(1000));
  });

  test('slow counts do not delay other requests, and end when their clients disconnect', async () => {
    isFruitless = true;
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${token}`, prefer: 'count=exact' };
    const counted = Array.from(
      { length: 8 },
      async () => await fetch(service.url + path, { headers, signal: leaving.signal }),
    );
    const left = Promise.allSettled(counted);
    const running = async () => await runningQueries(service.database.engine);
    await expect.poll(running).not.toEqual([]);
    const other = await service.token({});
    expect((await service.get('/health/ready')).status).toBe(200);
    expect((await service.get('/api/me', other)).status).toBe(200);
    expect(await running()).not.toEqual([]);
    leaving.abort();
    await left;
    isFruitless = false;
    await expect.poll(running).toEqual([]);
  });

  test('a client that disconnects is not logged as a failure of the service', async () => {
    const logged = service.log.length;
    await Promise.all([leave(0), leave(5), leave(50)]);
    isFruitless = true;
    await leave(300);
    isFruitless = false;
    await timeUntil(service.database.engine, isIdle, withinMs(5000));
    expect(service.log.slice(logged).filter((line) => JSON.parse(line).level > 30)).toEqual([]);
  });

  /** The open connections of clients to the service. */
  const connections = async () =>
    await new Promise<number>((resolve, reject) => {
      service.server.server.getConnections((error, count) =>
        error ? reject(error) : resolve(count),
      );
    });

  test(`${CLIENTS} clients that disconnect affect no others and leave nothing behind`, async () => {
    const staying = Array.from({ length: STAYING }, async () => {
      const response = await service.get(path, token);
      return ((await response.json()) as unknown[]).length;
    });
    const leaving = Array.from({ length: CLIENTS }, async (_, at) => {
      await sleep((at % 250) * 20);
      await leave((at * 37) % 2000);
    });
    const ended = (await Promise.all(leaving)).filter(Boolean);
    if (IS_FULL) expect(ended.length).toBeLessThan(CLIENTS / 2);
    expect(await Promise.all(staying)).toEqual(Array.from({ length: STAYING }, () => ROWS));
    const small = path.replace('type=sales', 'type=leads');
    expect(await (await service.get(small, token)).json()).toEqual([]);
    expect(await (await service.get(path, token)).json()).toHaveLength(ROWS);
    // Clients keep the connections of complete responses open, so idle ones are closed before counting.
    const left = async () => {
      service.server.server.closeIdleConnections();
      return await connections();
    };
    await expect.poll(left).toBe(0);
    const running = async () => await runningQueries(service.database.engine);
    await expect.poll(running).toEqual([]);
  });
});
