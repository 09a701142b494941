/** A process that floods a server with requests, so that a test can measure the server meanwhile. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { newAccessToken } from '../../../src/auth/access-token.ts';
import type { FloodKind } from './flood.ts';

const [port = '', kind = '', connections = '', requests = '', milliseconds = '', target = ''] =
  process.argv.slice(2);

/** Milliseconds before a connection that was closed is opened again. */
const PAUSE = 250;

const until = performance.now() + Number(milliseconds);

const REQUESTS: Readonly<Record<FloodKind, () => string>> = {
  // Sends all requests at once, and reads no response.
  pipelined: () => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(Number(requests)),
  // Each request has a new token, which is well formed but unknown.
  tokens: () =>
    `GET /api/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${newAccessToken()}\r\n\r\n`,
};

/** Sends over one connection until it closes. A flood of tokens closes it when the time is over. */
async function sendOnce(next: () => string): Promise<void> {
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  const closed = once(socket, 'close').catch(() => undefined);
  if (kind === 'tokens') {
    socket.on('data', () => {
      if (performance.now() < until) socket.write(next());
      else socket.destroy();
    });
  }
  socket.write(next());
  await closed;
}

async function flood(next: () => string): Promise<void> {
  do {
    await sendOnce(next);
    await sleep(PAUSE);
  } while (performance.now() < until);
}

const next = REQUESTS[kind as FloodKind];
await Promise.all(Array.from({ length: Number(connections) }, async () => await flood(next)));
