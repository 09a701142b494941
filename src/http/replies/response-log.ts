/** One log line an answer; it holds the route's pattern and never the URL, which may carry secrets. */

import type { FastifyInstance } from 'fastify';

export function logResponses(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        principal: request.principalId ?? null,
        bytes: request.bodyBytes ?? null,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'answered',
    );
  });
}
