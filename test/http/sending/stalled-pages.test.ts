import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { exchange } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

/** The number of records on a page. */
const PAGE = fullOrShort(10_000, 3000);

let service: TestService;

beforeAll(async () => {
  service = await startService({ settings: { stallTimeout: 1, idleTimeout: 3600 } });
  await insertManySales(service.database.engine, PAGE);
});

afterAll(async () => await service.close());

/** So many requests that their responses are more than the buffers of the system hold. */
const REQUESTS = 16;

/** A connection that sends requests at once, and reads nothing. */
async function askAndStall(target: string, headers: string): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(
    `GET ${target} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity\r\n${headers}\r\n`.repeat(
      REQUESTS,
    ),
  );
  return socket;
}

test.each([
  ['pages', `/api/admin/transactions?${MANY_SALES}&limit=${PAGE}`],
  ['the OpenAPI document', '/openapi.json'],
])('a client that requests %s and reads nothing is disconnected', async (_, target) => {
  const { server } = service.server;
  const count = promisify(server.getConnections.bind(server));
  const connections = async () => await count();
  const socket = await askAndStall(target, `Authorization: Bearer ${await service.token({})}\r\n`);
  await expect.poll(connections).toBeGreaterThan(0);
  await expect.poll(connections).toBe(0);
  socket.destroy();
});

test('the timeout of a response ends with it, and does not end a pipelined request that waits', async () => {
  const authorization = `Authorization: Bearer ${await service.token({})}`;
  const feed = '/api/admin/transactions/changes';
  const begin = await fetch(`${service.url}${feed}?type=sales`, {
    headers: { authorization: authorization.slice('Authorization: '.length) },
  });
  const after = /after=([^&>]+)/.exec(begin.headers.get('link') ?? '')?.[1] ?? '';
  await begin.arrayBuffer();
  // This request waits for longer than the stall timeout of the service.
  const waiting = `${feed}?type=sales&after=${after}&wait=3`;
  const requestOf = (target: string, connection: string) =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n${authorization}\r\n\r\n`;
  const requests = requestOf('/health/live', 'keep-alive') + requestOf(waiting, 'close');
  const answers = await exchange(service.url, requests, 60_000);
  expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
});
