/** Ends the work for a response when its client disconnects or loses access. */

import type { FastifyReply } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';
import { cut } from './cut.ts';

export type EndResponse = (reason: Problem) => void;

/** Begins to watch for the end of access; returns a function that stops the watch. */
export type WatchAccess = (end: EndResponse) => () => void;

/** The shared abort reason of all closed connections: a new error with its stack costs more than a small request. */
const CLOSED = new DOMException('The connection is closed.', 'AbortError');

/**
 * When access ends, a response that has not begun becomes a problem, and one under way is cut. After
 * the headers were sent, a failure is only logged: `sendBlocks` has cut the connection.
 */
export async function respondUntilEnd(
  reply: FastifyReply,
  watchAccess: WatchAccess,
  respond: (signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  const { raw: response, request } = reply;
  const ended = new AbortController();
  const stopWatching = watchAccess((reason) => {
    ended.abort(reason);
    if (!response.headersSent) return;
    request.log.info({ code: reason.code, err: reason.cause }, 'response cut');
    cut(response);
  });
  const leave = () => {
    stopWatching();
    // After a complete response nothing is left to stop, and firing the abort costs CPU time.
    if (!response.writableFinished) ended.abort(CLOSED);
  };
  response.once('close', leave);
  if (response.destroyed) leave();
  try {
    return await respond(ended.signal);
  } catch (error) {
    const { aborted, reason } = ended.signal;
    if (reason instanceof Problem && !response.headersSent) throw reason;
    if (aborted) return reply.hijack();
    if (!response.headersSent) throw error;
    request.log.error({ err: error }, 'response cut');
    return undefined;
  }
}
