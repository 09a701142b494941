/** The path that was probably meant, for problems about paths that do not exist. */

import type { FastifyRequest } from 'fastify';
import { pathOf } from '../query-string.ts';

/** Matches a path below a list, such as the path of a transaction without its type or with an unknown one. */
const BELOW_LIST = /^(.*\/api\/(?:admin|affiliate)\/transactions)\/[^/]+(?:\/[^/]+)?$/;

/**
 * Suggests an existing path that differs only in letter case, slashes at its end or a missing base path. For
 * other paths below a list, suggests the form of a transaction's path.
 */
export function pathHint(request: FastifyRequest, basePath: string): string | undefined {
  const { server } = request;
  const path = withoutSlashes(pathOf(request)).toLowerCase();
  const url = [path, basePath + path].find((each) => server.methodsOf(each).length > 0);
  if (url !== undefined) return `Did you mean "${url}"?`;
  const list = BELOW_LIST.exec(path)?.[1];
  const isList = list !== undefined && server.methodsOf(list).length > 0;
  return isList ? `A transaction has the path ${list}/{type}/{transaction_id}.` : undefined;
}

/**
 * The path without slashes at its end. The lookbehind keeps the search linear: without it, each slash of a long run
 * would begin a search.
 */
export const withoutSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, '');
