import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { AppSettings } from '../../../src/app-settings.ts';
import { startService, type TestService } from '../../support/requests/service.ts';

const MOST = 3;

let service: TestService;

const start = async (settings: Partial<AppSettings>): Promise<void> => {
  service = await startService({ settings });
};

afterEach(async () => await service.close());

const opened = (): Socket =>
  connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);

/** The first bytes of the response; undefined if the server closes the connection without one. */
async function answerOn(socket: Socket): Promise<string | undefined> {
  socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  const answered = once(socket, 'data').then(([bytes]) => String(bytes).slice(0, 15));
  return await Promise.race([answered, once(socket, 'close').then(() => undefined)]);
}

test('a connection beyond MAX_CONNECTIONS is closed unread, until another one ends', async () => {
  await start({ maxConnections: MOST });
  const kept = Array.from({ length: MOST }, opened);
  for (const socket of kept) expect(await answerOn(socket)).toBe('HTTP/1.1 200 OK');
  expect(await answerOn(opened())).toBeUndefined();
  await Promise.all(kept.map(async (socket) => await once(socket.end(), 'close')));
  await expect.poll(async () => await answerOn(opened())).toBe('HTTP/1.1 200 OK');
});

test('a connection without requests is closed after IDLE_TIMEOUT', async () => {
  await start({ idleTimeout: 1 });
  expect(service.server.server.keepAliveTimeout).toBe(1000);
  const socket = opened();
  expect(await answerOn(socket)).toBe('HTTP/1.1 200 OK');
  await once(socket, 'close');
});

test('HEADERS_TIMEOUT sets how long the server waits for headers', async () => {
  await start({ headersTimeout: 7 });
  expect(service.server.server.headersTimeout).toBe(7000);
});
