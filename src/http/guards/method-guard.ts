/** Refuses every method except GET and HEAD, or POST on the path of the MCP server. */

import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';
import { pathOf } from '../query-string.ts';

/** The methods of every route that reads. */
export const METHODS = ['GET', 'HEAD'];

const POST = ['POST'];

/** The methods of the path of a request, whether there is such a path or not. */
export const methodsOf = (request: FastifyRequest): readonly string[] =>
  request.server.takesPost(pathOf(request)) ? POST : METHODS;

/** 405 if the path has a route, else 404. */
export function refuseOtherMethods(request: FastifyRequest): void {
  const methods = methodsOf(request);
  if (methods.includes(request.method)) return;
  if (!request.server.hasPath(pathOf(request))) throw new Problem('not_found');
  throw new Problem('method_not_allowed', { headers: { allow: methods.join(', ') } });
}
