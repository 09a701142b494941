/** Graceful shutdown: refuses new requests and closes connections after their running responses. */

import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';

export function closeGracefully(app: FastifyInstance): void {
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
