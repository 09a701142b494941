/** The path that was probably meant, for problems about paths that do not exist. */

import type { FastifyRequest } from 'fastify';
import { pathOf } from '../query-string.ts';

/** A path below that of a list, such as that of a transaction without its type or with an unknown type. */
const BELOW_LIST = /^(.*\/api\/(?:admin|affiliate)\/transactions)\/[^/]+(?:\/[^/]+)?$/;

/**
 * Suggests the path in lower case and without slashes at its end, below the base path if necessary. If there
 * is no such route, but a list above the path, suggests the form of a transaction's path.
 */
export function pathHint(request: FastifyRequest, basePath: string): string | undefined {
  const { server } = request;
  const path = pathOf(request).replace(/\/+$/, '').toLowerCase();
  const url = [path, basePath + path].find((each) => server.methodsOf(each).length > 0);
  if (url !== undefined) return `Did you mean "${url}"?`;
  const list = BELOW_LIST.exec(path)?.[1];
  const isList = list !== undefined && server.methodsOf(list).length > 0;
  return isList ? `A transaction has the path ${list}/{type}/{transaction_id}.` : undefined;
}
