/**
 * Logs one line per response, with the pattern of the route and not the URL, which may hold secrets.
 *
 * Refusals before authentication are sampled: anyone can cause them, and would fill the log.
 */

import type { FastifyInstance } from 'fastify';
import { LogSampler } from './log-sampler.ts';

/** For requests that were refused before authentication. */
const REFUSALS = { lines: 100, window: 1000 };

export function logResponses(app: FastifyInstance): void {
  const refusals = new LogSampler(REFUSALS, (omitted) =>
    app.log.warn({ omitted }, 'more requests were refused than are logged'),
  );
  app.addHook('onResponse', async (request, reply) => {
    const isRefusal = request.principal === undefined && reply.statusCode >= 400;
    if (isRefusal && !refusals.admits()) return;
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        client: request.clientAddress,
        principal: request.principal?.id ?? null,
        bytes: request.bodyBytes ?? null,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'answered',
    );
  });
}
