/** Calls listeners once for each response, when it has ended or its connection has closed. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export type ResponseListener = (request: FastifyRequest, reply: FastifyReply) => void;

/** The status of responses whose client left before they began, as in the logs of nginx. */
const CLIENT_LEFT = 499;

/**
 * Uses the event `close`, because Fastify's hook onResponse does not run if the connection closes early. The
 * event comes for every response, even for one that waits behind others on its connection.
 */
export function onResponseEnd(app: FastifyInstance, listeners: readonly ResponseListener[]): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => {
      for (const listener of listeners) listener(request, reply);
    });
  });
}

/** Whether the connection closed before the end of the response. */
export const endedEarly = ({ raw }: FastifyReply): boolean => !raw.writableFinished;

/** The status that was sent, or 499 if the client left before. */
export const sentStatus = ({ raw, statusCode }: FastifyReply): number =>
  raw.headersSent ? statusCode : CLIENT_LEFT;
