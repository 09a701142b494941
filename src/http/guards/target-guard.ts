/** Refuses a request target that is neither a path nor an HTTP URL (RFC 9112, 3.2), although a route may match it. */

import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';

export function refuseWrongTarget({ raw }: FastifyRequest): void {
  if (!/^(\/|https?:\/\/)/i.test(raw.url ?? '')) throw new Problem('not_found');
}
