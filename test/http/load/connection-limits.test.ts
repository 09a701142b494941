import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/requests/service.ts';

const MOST = 3;

let service: TestService;

beforeAll(async () => {
  service = await startService({
    settings: { maxConnections: MOST, idleTimeout: 1, headersTimeout: 7 },
  });
});

afterAll(async () => await service.close());

const opened = (): Socket =>
  connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);

/** The first bytes of the response; undefined if the server closes the connection without one. */
async function answerOn(socket: Socket): Promise<string | undefined> {
  socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  const answered = once(socket, 'data').then(([bytes]) => String(bytes).slice(0, 15));
  return await Promise.race([answered, once(socket, 'close').then(() => undefined)]);
}

test('a connection beyond MAX_CONNECTIONS is closed unread, until another one ends', async () => {
  const kept = Array.from({ length: MOST }, opened);
  for (const socket of kept) expect(await answerOn(socket)).toBe('HTTP/1.1 200 OK');
  expect(await answerOn(opened())).toBeUndefined();
  await Promise.all(kept.map(async (socket) => await once(socket.end(), 'close')));
  await expect.poll(async () => await answerOn(opened())).toBe('HTTP/1.1 200 OK');
});

test('a connection without requests is closed after IDLE_TIMEOUT', async () => {
  const socket = opened();
  await expect.poll(async () => await answerOn(socket)).toBe('HTTP/1.1 200 OK');
  await once(socket, 'close');
});

test('HEADERS_TIMEOUT is that of the server', () => {
  expect(service.server.server.headersTimeout).toBe(7000);
});
