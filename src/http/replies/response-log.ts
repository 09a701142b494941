/**
 * Logs one line per response, with the pattern of the route and not the URL, which may hold secrets.
 *
 * Refusals before authentication are sampled: anyone can cause them and so fill the log.
 */

import type { FastifyInstance } from 'fastify';
import { isFromTool, MCP } from '../mcp/loopback-request.ts';
import { LOGGED_REFUSALS, LogSampler } from './log-sampler.ts';
import { endedEarly, type ResponseListener, sentStatus } from './response-end.ts';
import { sentBytesOf } from './response-metrics.ts';

export function responseLog(app: FastifyInstance): ResponseListener {
  const refusals = new LogSampler(LOGGED_REFUSALS, (omitted) =>
    app.log.warn({ omitted }, 'refused requests were left out of the log'),
  );
  return (request, reply) => {
    const status = sentStatus(reply);
    const isRefusal = request.principal === undefined && status >= 400;
    if (isRefusal && !refusals.admits()) return;
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        ...(isFromTool(request) ? { via: MCP } : {}),
        status,
        ...(endedEarly(reply) ? { cut: true } : {}),
        client: request.clientAddress,
        principal: request.principal?.id ?? null,
        bytes: sentBytesOf(request, reply),
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'answered',
    );
  };
}
