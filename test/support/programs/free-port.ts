/** Finds a free TCP port for a server that a test starts. */

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The range of ports. Systems use the ports from 32,768 on for outgoing connections, at any moment. */
const FIRST = 16_384;
const END = 32_768;

/** The ports that this process got. A server that got one may not listen yet, so no port is given twice. */
const given = new Set<number>();

/** A random free port of loopback, so that processes that run at the same time rarely get the same. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isListening) return false;
  server.close();
  await once(server, 'close');
  return true;
}
