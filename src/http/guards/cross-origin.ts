/** CORS: lets pages of configured origins call the API from a browser (Fetch standard, CORS protocol). */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { CORS_EXPOSED_HEADERS, CORS_REQUEST_HEADERS } from '../../contract/openapi/headers.ts';
import { Problem } from '../../contract/problems/problems.ts';
import { appendHeader } from '../replies/append-header.ts';
import { allowedMethodsOf } from './method-guard.ts';

const EXPOSED = CORS_EXPOSED_HEADERS.join(', ');

/** Headers of the Model Context Protocol that clients send. */
export const MCP_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Without `Allow-Credentials`: pages send the token in a header, not in a cookie. */
const PREFLIGHT_HEADERS = {
  'access-control-allow-headers': [...CORS_REQUEST_HEADERS, ...MCP_HEADERS].join(', '),
  // Two hours, the longest time that Chromium accepts.
  'access-control-max-age': '7200',
};

/** Adds the headers that let the requesting page read the response, if its origin is allowed. */
export type AddCorsHeaders = (request: FastifyRequest, reply: FastifyReply) => void;

export function corsHeadersFor(origins: readonly string[]): AddCorsHeaders {
  const allowed = new Set(origins);
  return ({ headers: { origin } }, reply) => {
    if (allowed.size === 0) return;
    appendHeader(reply, 'vary', 'Origin');
    if (origin === undefined || !allowed.has(origin)) return;
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-expose-headers', EXPOSED);
  };
}

/** Whether this is the preflight request of a page whose origin is allowed. */
export const isPreflight = ({ method, headers }: FastifyRequest, reply: FastifyReply): boolean =>
  method === 'OPTIONS' &&
  headers['access-control-request-method'] !== undefined &&
  reply.hasHeader('access-control-allow-origin');

/** Allows the request on every path, so that a page can also read a 404. */
export const answerPreflight = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply
    .code(204)
    .headers({ 'access-control-allow-methods': allowedMethodsOf(request), ...PREFLIGHT_HEADERS })
    .send();

/**
 * Refuses a request from a page of an origin that is not allowed, as the Model Context Protocol requires. The
 * origin is not compared with `Host`, because the host name of any page may resolve to this server (DNS rebinding).
 */
export function refuseForeignPage(request: FastifyRequest, reply: FastifyReply): void {
  const { origin } = request.headers;
  if (origin === undefined || reply.hasHeader('access-control-allow-origin')) return;
  if (origin !== request.server.publicOrigin) throw new Problem('origin_forbidden');
}
