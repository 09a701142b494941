/** Refuses bodies before they are read: every question is in the URL. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';

/** By the two headers that announce one (RFC 9112, 6.3); Node has refused their contradictions. */
function bringsBody({ raw }: FastifyRequest): boolean {
  if (raw.headers['transfer-encoding'] !== undefined) return true;
  return Number(raw.headers['content-length'] ?? 0) > 0;
}

/**
 * Whatever is answered to a request with a body, the connection ends with it: what nobody reads is
 * never taken for a further request, and costs no time.
 */
export function closeAfterBody(request: FastifyRequest, reply: FastifyReply): void {
  if (bringsBody(request)) reply.header('connection', 'close');
}

export function refuseBody(request: FastifyRequest): void {
  if (bringsBody(request)) throw new Problem('content_too_large');
}

/** Where chunks are not the last coding nobody knows where the body ends (RFC 9112, 6.3): that is worse than a body. */
export function refuseEndlessBody({ raw }: FastifyRequest): void {
  const coding = raw.headers['transfer-encoding'];
  if (coding !== undefined && !/(^|,)\s*chunked\s*$/i.test(coding)) {
    throw new Problem('malformed_request');
  }
}
