/** The path that was probably meant, for problems about paths that do not exist. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pathOf } from '../query-string.ts';

/** Tries the path without slashes at its end, in lower case, and below the base path. */
export function pathHint(
  app: FastifyInstance,
  request: FastifyRequest,
  basePath: string,
): string | undefined {
  const path = pathOf(request).replace(/\/+$/, '').toLowerCase();
  const url = [path, basePath + path].find((each) => app.hasRoute({ method: 'GET', url: each }));
  return url === undefined ? undefined : `Did you mean "${url}"?`;
}
