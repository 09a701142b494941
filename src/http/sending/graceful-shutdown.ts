/** Graceful shutdown: refuses new requests and closes connections after their running responses. */

import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';
import { furtherServers } from '../guards/server-guards.ts';

export function addGracefulShutdown(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', async () => {
    if (isClosing) throw new Problem('shutting_down', { headers: { connection: 'close' } });
  });
  app.addHook('onResponse', async ({ raw }) => {
    if (isClosing) raw.socket.end();
  });
}

/** Closes the server. Responses that have not ended after `graceMs` milliseconds are cut. */
export async function closeWithin(app: FastifyInstance, graceMs: number): Promise<void> {
  // Fastify closes the further servers of `localhost` without waiting for their responses.
  const further = furtherServers(app);
  const cut = setTimeout(() => {
    for (const server of [app.server, ...further]) server.closeAllConnections();
  }, graceMs);
  const closed = further.map((server) => once(server, 'close'));
  for (const server of further) server.close();
  await Promise.all([app.close(), ...closed]);
  clearTimeout(cut);
}
