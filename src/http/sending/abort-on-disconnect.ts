/** Aborts the work for a response when its client disconnects. */

import type { FastifyReply } from 'fastify';

/** After the headers were sent, a failure is only logged: `sendBlocks` has cut the connection. */
export async function abortOnDisconnect(
  reply: FastifyReply,
  respond: (signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  const disconnected = new AbortController();
  reply.raw.once('close', () => disconnected.abort());
  if (reply.raw.destroyed) disconnected.abort();
  try {
    return await respond(disconnected.signal);
  } catch (error) {
    if (disconnected.signal.aborted) return reply.hijack();
    if (!reply.raw.headersSent) throw error;
    reply.request.log.error({ err: error }, 'response cut');
    return undefined;
  }
}
