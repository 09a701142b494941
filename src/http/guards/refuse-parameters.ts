/** Refuses query parameters on paths that have none. */

import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';
import { queryStringOf } from '../query-string.ts';

export function refuseParameters(request: FastifyRequest): void {
  const names = new Set(new URLSearchParams(`?${queryStringOf(request)}`).keys());
  if (names.size === 0) return;
  const detail = 'This path has no parameters.';
  const faults = [...names].map((parameter) => ({ parameter, code: 'unknown', detail }) as const);
  throw new Problem('invalid_parameters', { faults });
}
