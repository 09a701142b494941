/** The life of an answer: it ends with its reader, and a failure after the beginning cuts it. */

import type { FastifyReply } from 'fastify';

/** Milliseconds after which a reader that takes nothing is cut: five minutes. */
export const STALL_TIMEOUT = 300_000;

/** Does what makes an answer, unless whoever asked leaves. */
export async function abortOnDisconnect(
  reply: FastifyReply,
  answer: (signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  const leaving = new AbortController();
  reply.raw.once('close', () => leaving.abort());
  if (reply.raw.destroyed) leaving.abort();
  try {
    return await answer(leaving.signal);
  } catch (error) {
    // Nobody is left to be told.
    if (leaving.signal.aborted) return reply.hijack();
    if (!reply.raw.headersSent) throw error;
    reply.request.log.error({ err: error }, 'answer cut');
    return undefined;
  }
}
