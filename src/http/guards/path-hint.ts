/** The path that was probably meant, for problems about paths that do not exist. */

import type { FastifyRequest } from 'fastify';
import { pathOf } from '../query-string.ts';

/** Tries the path without slashes at its end, in lower case, and below the base path. */
export function pathHint(request: FastifyRequest, basePath: string): string | undefined {
  const { server } = request;
  const path = pathOf(request).replace(/\/+$/, '').toLowerCase();
  const url = [path, basePath + path].find((each) => server.methodsOf(each).length > 0);
  return url === undefined ? undefined : `Did you mean "${url}"?`;
}
