/** Refuses every method except GET and HEAD. */

import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';
import { pathOf } from '../query-string.ts';

/** The methods of every route. */
export const METHODS = ['GET', 'HEAD'];

/** The value of the header `Allow`. */
export const ALLOWED_METHODS = METHODS.join(', ');

/** 405 if the path has a route, else 404. */
export function refuseOtherMethods(request: FastifyRequest): void {
  if (METHODS.includes(request.method)) return;
  if (!request.server.hasPath(pathOf(request))) throw new Problem('not_found');
  throw new Problem('method_not_allowed', { headers: { allow: ALLOWED_METHODS } });
}
