/** Logs one line per response, with the pattern of the route and not the URL, which may hold secrets. */

import type { FastifyInstance } from 'fastify';

export function logResponses(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
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
