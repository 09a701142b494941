/** Graceful shutdown: refuses new requests and closes connections after their running responses. */

import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';

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
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
  await app.close();
  clearTimeout(cut);
}
