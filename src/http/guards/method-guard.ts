/** Refuses every method but the reading ones, before a body is looked at. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';

const READING = ['GET', 'HEAD'];

/** The value of the header `Allow`. */
export const ALLOWED = READING.join(', ');

/** 405 where there is something to read at the path, 404 elsewhere. */
export function refuseOtherMethods(app: FastifyInstance, request: FastifyRequest): void {
  if (READING.includes(request.method)) return;
  const url = (request.raw.url ?? '').split('?', 1)[0] ?? '';
  if (!app.hasRoute({ method: 'GET', url })) throw new Problem('not_found');
  throw new Problem('method_not_allowed', { headers: { allow: ALLOWED } });
}
