/** The paths that have a route, also those with parameters, which `hasRoute` of Fastify does not match. */

import type { FastifyInstance } from 'fastify';

/** Tells whether a path has a route. Must be called before the routes are added. */
export function knownPathsOf(app: FastifyInstance): (path: string) => boolean {
  const patterns: RegExp[] = [];
  app.addHook('onRoute', ({ url }) => {
    if (url.includes('/:')) patterns.push(patternOf(url));
  });
  return (url) =>
    app.hasRoute({ method: 'GET', url }) || patterns.some((pattern) => pattern.test(url));
}

/** A parameter is one segment of the path, which is not empty. */
const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
