import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reader } from '../../../src/engine/engine.ts';
import { databaseWithManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { runningQueries } from '../../support/databases/running-queries.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const ROWS = fullOrShort(250_000, 60_000);
const CLIENTS = fullOrShort(8, 3);
const path = `/api/admin/transactions?${MANY_SALES}`;
const MEGABYTE = 2 ** 20;

/** Bytes that the service, the network and the client buffer for one response. */
const BUFFERED = 24 * MEGABYTE;

let service: TestService;
let token: string;
/** Bytes that the engine has returned so far. */
let given = 0;

const counting = (reader: Reader): Reader => ({
  rows: (statement, signal) => reader.rows(statement, signal),
  async *read(statement, signal) {
    for await (const block of reader.read(statement, signal)) {
      given += block.length;
      yield block;
    }
  },
});

beforeAll(async () => {
  service = await startService({
    makeEmbedded: databaseWithManySales(ROWS),
    settings: { memoryCache: 0 },
    parts: (parts) => ({ ...parts, reader: counting(parts.reader) }),
  });
  token = await service.token({});
});

afterAll(async () => await service.close());

async function download(): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}` };
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  get(service.url + path, { headers, agent: false }, resolve);
  return await promise;
}

/** Reads some bytes in small steps, and disconnects. */
async function readSlowly(response: IncomingMessage, bytes: number): Promise<void> {
  let rest = bytes;
  for await (const chunk of response) {
    rest -= chunk.length;
    if (rest < 0) break;
    await sleep(20);
  }
}

async function rowsOf(response: IncomingMessage): Promise<number> {
  let rows = 0;
  let last = '';
  for await (const chunk of response) {
    const text: string = last + chunk.toString('latin1');
    rows += text.split('\n{"').length - 1;
    last = text.slice(-2);
  }
  return rows;
}

test('a fast client gets the whole response', async () => {
  const before = given;
  expect(await rowsOf(await download())).toBe(ROWS);
  // The whole response exceeds the limit that the next test sets for each slow client.
  expect(given - before).toBeGreaterThan(fullOrShort(8, 1) * MEGABYTE + BUFFERED);
});

test('slow clients slow the engine down, so that the service buffers little', async () => {
  const before = given;
  const read = fullOrShort(8, 1) * MEGABYTE;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => await readSlowly(await download(), read)),
  );
  expect(given - before).toBeLessThan(CLIENTS * (read + BUFFERED));
});

test('clients that stop reading release the engine, and get the rest later', async () => {
  const before = given;
  const responses = await Promise.all(Array.from({ length: CLIENTS }, download));
  await expect.poll(async () => await runningQueries(service.database.engine)).toEqual([]);
  expect(given - before).toBeLessThan(CLIENTS * BUFFERED);
  for (const response of responses) expect(await rowsOf(response)).toBe(ROWS);
});
