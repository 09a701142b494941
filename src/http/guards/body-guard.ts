/** Refuses a request body before it is read: all parameters are in the URL, except those of the MCP server. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route reads the body of requests. */
    readonly readsBody?: true;
  }
}

/** Checks the two headers that announce a body (RFC 9112, 6.3); Node refuses requests with both. */
function hasBody({ raw }: FastifyRequest): boolean {
  if (raw.headers['transfer-encoding'] !== undefined) return true;
  return Number(raw.headers['content-length'] ?? 0) > 0;
}

/** Closes the connection after the reply, so that an unread body is never parsed as the next request. */
export function closeAfterBody(request: FastifyRequest, reply: FastifyReply): void {
  if (hasBody(request)) reply.header('connection', 'close');
}

/** Refuses a body on all routes except that of the MCP server. */
export function refuseBody(request: FastifyRequest): void {
  if (request.routeOptions.config?.readsBody === true) return;
  if (hasBody(request)) throw new Problem('content_too_large');
  // Without a body these headers mean nothing, but Fastify would refuse some of their values.
  delete request.raw.headers['content-type'];
  delete request.raw.headers['content-length'];
}

/** Refuses a body whose end is unknown, because `chunked` is not its last transfer coding (RFC 9112, 6.3). */
export function refuseUnboundedBody({ raw }: FastifyRequest): void {
  const coding = raw.headers['transfer-encoding'];
  if (coding !== undefined && !/(^|,)\s*chunked\s*$/i.test(coding)) {
    throw new Problem('malformed_request');
  }
}
