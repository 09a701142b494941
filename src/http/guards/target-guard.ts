/** Refuses what is no path and no URL with one (RFC 9112, 3.2): a router may take it for the path that it is like. */

import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';

export function refuseWrongTarget({ raw }: FastifyRequest): void {
  if (!/^(\/|https?:\/\/)/i.test(raw.url ?? '')) throw new Problem('not_found');
}
