/** Refuses methods that the path does not have: nearly all paths have GET and HEAD only. */

import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';
import { pathOf } from '../query-string.ts';

/** The methods of routes that read. */
export const READ_METHODS = ['GET', 'HEAD'];

/** The value of the header `Allow` of paths that only read. */
export const READ_METHODS_TEXT = READ_METHODS.join(', ');

/** The methods of the request's path, or `GET, HEAD` if it has no route. */
export function allowedMethodsOf(request: FastifyRequest): string {
  const methods = request.server.methodsOf(pathOf(request));
  return methods.length === 0 ? READ_METHODS_TEXT : methods.join(', ');
}

/** Throws 405 if the path only has other methods. If it has none, throws 404, but lets GET and HEAD pass. */
export function refuseOtherMethods(request: FastifyRequest): void {
  // A route has the path and the method, however the path is written.
  if (!request.is404) return;
  const methods = request.server.methodsOf(pathOf(request));
  if (methods.includes(request.method)) return;
  if (methods.length > 0) {
    throw new Problem('method_not_allowed', { headers: { allow: allowedMethodsOf(request) } });
  }
  if (!READ_METHODS.includes(request.method)) throw new Problem('not_found');
}
