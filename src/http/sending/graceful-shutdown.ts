/** What a server does from the moment it was told to close until its last answer has ended. */

import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';

/** Refuses new requests, and does not wait for connections that clients keep for further ones. */
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
