/** Refuses a missing or repeated Host header (RFC 9112, 3.2) with a problem; Node's own reply would have no body. */

import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';

export function refuseWrongHost({ raw }: FastifyRequest): void {
  const hosts = raw.headersDistinct.host?.length ?? 0;
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1')) {
    throw new Problem('malformed_request', { headers: { connection: 'close' } });
  }
}
