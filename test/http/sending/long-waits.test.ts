import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  databaseWithManySales,
  insertManySales,
  MANY_SALES,
} from '../../support/databases/inserted/many-sales.ts';
import { runningQueries } from '../../support/databases/running-queries.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { exchange, readAnswer } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fullOrShort, IS_FULL, withinMs } from '../../support/run/test-extent.ts';

const ROWS = 60_000;
const STORES = fullOrShort(['embedded', 'server'] as const, ['embedded'] as const);

/** Milliseconds of the stall. */
const STALL = fullOrShort(60_000, 0);
/** Milliseconds between two checks of the engine. */
const LOOK = 3000;

/** Milliseconds to wait for a refusal of late headers, because Node checks for them every half minute. */
const PATIENCE = 45_000;

const START = 'GET /health/live HTTP/1.1\r\nHost: x\r\n';

/** Requests whose headers never end. */
const PARTIAL = ['G', 'GET /health', START, `${START}X-A: b`];

let services: readonly TestService[];

beforeAll(async () => {
  const options = { makeEmbedded: databaseWithManySales(ROWS), settings: { memoryCache: 0 } };
  services = await Promise.all(
    STORES.map(async (store) => {
      const service = await startService({ store, ...options });
      if (store !== 'embedded') await insertManySales(service.database.engine, ROWS);
      return service;
    }),
  );
});

afterAll(async () => {
  for (const service of services) await service.close();
});

/** A connection that has requested all sales and has read a little. */
async function askAndStall(service: TestService, chunks: Buffer[]): Promise<Socket> {
  const token = await service.token({});
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(
    `GET /api/admin/transactions?${MANY_SALES} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await once(socket, 'data');
  socket.pause();
  return socket;
}

/** Whether a query reads records. The service's own lookups, such as of tokens, may run at any time. */
const isOfList = (query: string): boolean => query.includes('record_head');

/**
 * Downloads a list with a long stall. Returns the response, the queries of lists that the engine ran during the
 * stall, and the number of chunks that arrived after it.
 */
async function stalledDownload(service: TestService) {
  const chunks: Buffer[] = [];
  const socket = await askAndStall(service, chunks);
  const running = async () => await runningQueries(service.database.engine);
  await expect.poll(running, { timeout: withinMs(LOOK) }).toEqual([]);
  const end = performance.now() + STALL;
  const queries: string[] = [];
  while (performance.now() < end) {
    await sleep(LOOK);
    queries.push(...(await running()).filter(isOfList));
  }
  const before = chunks.length;
  const closed = once(socket, 'close');
  socket.resume();
  await closed;
  return { text: Buffer.concat(chunks).toString(), queries, chunksAfter: chunks.length - before };
}

// In a full run, both tests run in parallel, because they only wait for a long time.
test.concurrent('a client that stalls for long gets every row once, and the engine is free meanwhile', async () => {
  const downloads = await Promise.all(services.map(stalledDownload));
  for (const { text, queries, chunksAfter } of downloads) {
    expect(queries).toEqual([]);
    expect(chunksAfter).toBeGreaterThan(10);
    const identifiers = [...text.matchAll(/"transaction_id":(\d+)/g)].map(([, id]) => Number(id));
    expect(identifiers).toEqual(Array.from({ length: ROWS }, (_, at) => at));
    expect(text.endsWith('\n]\n\r\n0\r\n\r\n')).toBe(true);
  }
});

// Only in the full run, because Node looks for late requests every half minute. In `npm test`,
// guards/parser-errors.test.ts has a server that looks for them at once.
test
  .runIf(IS_FULL)
  .concurrent('a request that does not arrive whole is answered and closed', async () => {
    const [service] = services;
    if (service === undefined) throw new TypeError('There is no service.');
    const { server } = service.server;
    const usual = server.headersTimeout;
    server.headersTimeout = 100;
    const texts = await Promise.all(
      PARTIAL.map(async (bytes) => await exchange(service.url, bytes, PATIENCE)),
    );
    server.headersTimeout = usual;
    for (const answer of texts.map(readAnswer)) {
      expectProblem(answer, 'request_timeout');
      expect(answer.headers.get('connection')).toBe('close');
    }
  });
