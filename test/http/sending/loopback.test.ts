import { createServer, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LoopbackSocket } from '../../../src/http/mcp/loopback-socket.ts';

type Answer = Parameters<typeof createServer>[1];

/** A request over a connection in memory to a server that does not listen. */
async function get(answer: Answer) {
  const server = createServer({}, answer);
  const [serverSide, clientSide] = LoopbackSocket.pair('203.0.113.9');
  server.emit('connection', serverSide);
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
  request({ createConnection: () => clientSide })
    .once('response', resolve)
    .once('error', reject)
    .end();
  return await promise;
}

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');

test('the server knows the address of the client, and the response is whole', async () => {
  const response = await get(async ({ socket }, reply) => {
    reply.write(String(socket.remoteAddress));
    for (let at = 0; at < 8; at += 1) {
      const block = Buffer.from(MEGABYTE);
      if (!reply.write(block, () => block.fill(0)))
        await new Promise((go) => reply.once('drain', go));
    }
    reply.end();
  });
  const body = Buffer.concat(await Array.fromAsync<Buffer>(response)).toString();
  expect(body.slice(0, 11)).toBe('203.0.113.9');
  expect(body.slice(11)).toBe('x'.repeat(8 * MEGABYTE.length));
});

test('a reader that pauses slows the server down', async () => {
  let written = 0;
  const response = await get((_, reply) => {
    const write = () => {
      while (written < 100) {
        written += 1;
        if (!reply.write(MEGABYTE)) return void reply.once('drain', write);
      }
      reply.end();
    };
    write();
  });
  await sleep(50);
  expect(written).toBeLessThan(10);
  response.destroy();
});

test('a response that the server cuts is an error for its reader', async () => {
  const response = await get((_, reply) => {
    reply.write('the beginning');
    setImmediate(() => reply.socket?.resetAndDestroy());
  });
  await expect(Array.fromAsync(response)).rejects.toThrow('aborted');
});

test('the server notices that its reader left', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const response = await get((_, reply) => {
    reply.once('close', resolve);
    reply.write(MEGABYTE);
  });
  response.destroy();
  await promise;
});
