/** The path that was probably meant, for problems about paths that do not exist. */

import type { FastifyRequest } from 'fastify';
import { pathOf } from '../query-string.ts';

/** A path below a list that is no route: perhaps a transaction without its type, or with an unknown type. */
const BELOW_LIST = /^(.*\/api\/(?:admin|affiliate)\/transactions)\/[^/]+(?:\/[^/]+)?$/;

/** Suggests the path without slashes at its end, in lower case or below the base path; else the form of a transaction's path. */
export function pathHint(request: FastifyRequest, basePath: string): string | undefined {
  const { server } = request;
  const path = pathOf(request).replace(/\/+$/, '').toLowerCase();
  const url = [path, basePath + path].find((each) => server.methodsOf(each).length > 0);
  if (url !== undefined) return `Did you mean "${url}"?`;
  const list = BELOW_LIST.exec(path)?.[1];
  const isList = list !== undefined && server.methodsOf(list).length > 0;
  return isList ? `A transaction has the path ${list}/{type}/{transaction_id}.` : undefined;
}
