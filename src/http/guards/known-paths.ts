/** The paths that have a route, also those with parameters, which `hasRoute` of Fastify does not match. */

import type { FastifyInstance } from 'fastify';

/** Tells whether a path has a route. Must be called before the routes are added. */
export function knownPathsOf(app: FastifyInstance): (path: string) => boolean {
  const patterns: RegExp[] = [];
  app.addHook('onRoute', ({ url }) => {
    if (url.includes('/:')) patterns.push(patternOf(url));
  });
  return (url) =>
    app.takesPost(url) ||
    app.hasRoute({ method: 'GET', url }) ||
    patterns.some((pattern) => pattern.test(url));
}

/** A parameter is one segment of the path, which is not empty. */
const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);

/** Tells whether a path takes POST, and no other method. Must be called before the routes are added. */
export function postPathsOf(app: FastifyInstance): (path: string) => boolean {
  const paths = new Set<string>();
  app.addHook('onRoute', ({ url, method }) => {
    if (method === 'POST') paths.add(url);
  });
  return (path) => paths.has(path);
}
