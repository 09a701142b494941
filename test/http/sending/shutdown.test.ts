import { get, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { fullOrShort, withinMs } from '../../support/run/test-extent.ts';
import {
  type ClosedDatabase,
  databaseOfManySales,
  type ServingProcess,
  startServing,
} from '../../support/servers/serving-process.ts';

/** More than fits into the buffers between the service and a client that reads nothing. */
const ROWS = fullOrShort(60_000, 25_000);

/** Filling the month cache would only cost time. */
const NO_CACHE = { MEMORY_CACHE: '0' };

let database: ClosedDatabase;
let server: ServingProcess;

beforeAll(async () => {
  database = await databaseOfManySales(ROWS);
});

afterEach(async () => {
  server.kill('SIGKILL');
  await server.ended;
});

afterAll(async () => await database.remove());

/** Starts a download on a keep-alive connection. */
async function download(): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { authorization } = server;
  get(server.url + server.listPath, { headers: { authorization } }, resolve).on('error', reject);
  return await promise;
}

async function textOf(response: IncomingMessage): Promise<string> {
  return Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString();
}

/** The status of a response on a new connection, or the error. */
async function reachable(): Promise<number | string> {
  const answer = fetch(`${server.url}/health/live`);
  return await answer.then(({ status }) => status).catch(({ cause }) => cause.code);
}

const since = (moment: number): number => performance.now() - moment;

test('after SIGTERM a running download completes, while new requests are refused', async () => {
  server = await startServing(database, { ...NO_CACHE, SHUTDOWN_GRACE: '20' });
  const response = await download();
  server.kill('SIGTERM');
  await expect.poll(reachable).toBe('ECONNREFUSED');
  expect(JSON.parse(await textOf(response))).toHaveLength(ROWS);
  const finished = performance.now();
  expect(await server.ended).toBe(0);
  expect(since(finished)).toBeLessThan(withinMs(2000));
});

test('a stalled download is cut at the end of the grace period', async () => {
  server = await startServing(database, { ...NO_CACHE, SHUTDOWN_GRACE: '1' });
  const response = await download();
  const told = performance.now();
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(since(told)).toBeGreaterThan(900);
  expect(since(told)).toBeLessThan(withinMs(5000));
  await expect(textOf(response)).rejects.toThrow('aborted');
});
