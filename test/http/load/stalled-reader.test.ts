import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseWithManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { runningQueries, timeUntil } from '../../support/databases/running-queries.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fullOrShort, IS_FULL } from '../../support/run/test-extent.ts';

const ROWS = 60_000;
/** Milliseconds. `npm test` disconnects nobody, because a busy machine may be as slow as a stalled client. */
const STALL_TIMEOUT = fullOrShort(2500, 300_000);

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startService({
    makeEmbedded: databaseWithManySales(ROWS),
    settings: { memoryCache: 0, stallTimeout: STALL_TIMEOUT / 1000 },
  });
  token = await service.token({});
});

afterAll(async () => await service.close());

/** A connection that has requested all sales and reads nothing yet. */
async function askAndStall(): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.pause();
  socket.write(
    `GET /api/admin/transactions?${MANY_SALES} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  return socket;
}

async function bodyOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.resume();
  await closed;
  return Buffer.concat(chunks).toString();
}

test('a client that stalls and resumes in time gets every row, and the engine was free meanwhile', async () => {
  const socket = await askAndStall();
  await sleep(fullOrShort(1800, 500));
  const running = async () => await runningQueries(service.database.engine);
  await expect.poll(running).toEqual([]);
  const body = await bodyOf(socket);
  const identifiers = [...body.matchAll(/"transaction_id":(\d+)/g)].map(([, text]) => Number(text));
  expect(identifiers).toEqual(Array.from({ length: ROWS }, (_, at) => at));
  expect(body.endsWith('\n]\n\r\n0\r\n\r\n')).toBe(true);
});

test.runIf(IS_FULL)('a client that reads nothing for too long is disconnected', async () => {
  const socket = await askAndStall();
  socket.on('error', () => undefined);
  // Node may count the first write as progress. Then the client is disconnected only after two timeouts.
  await sleep(2 * STALL_TIMEOUT + 1000);
  const body = await bodyOf(socket);
  expect(body).not.toContain('\n]\n');
  expect(
    await timeUntil(service.database.engine, (queries) => queries.length === 0, 2000),
  ).toBeLessThan(1000);
});
