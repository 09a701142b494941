/**
 * Logs one line per response, with the pattern of the route and not the URL, which may hold secrets.
 *
 * Refusals before authentication are sampled: anyone can cause them, and would fill the log.
 */

import type { FastifyInstance } from 'fastify';
import { LogSampler } from './log-sampler.ts';

/** Lines a second for requests that were refused before authentication. */
const REFUSALS_PER_SECOND = 100;

export function logResponses(app: FastifyInstance): void {
  const refusals = new LogSampler(REFUSALS_PER_SECOND, (omitted) =>
    app.log.warn({ omitted }, 'more requests were refused than are logged'),
  );
  app.addHook('onResponse', async (request, reply) => {
    const isRefusal = request.principalId === undefined && reply.statusCode >= 400;
    if (isRefusal && !refusals.admits()) return;
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        client: request.clientAddress,
        principal: request.principalId ?? null,
        bytes: request.bodyBytes ?? null,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'answered',
    );
  });
}
