/** The methods of each path, also of those with parameters, which `hasRoute` of Fastify does not match. */

import type { FastifyInstance } from 'fastify';
import { READ_METHODS } from './method-guard.ts';

/** Call this before routes are added. Returns a function that lists the methods of a path; none if it has no route. */
export function knownMethodsOf(app: FastifyInstance): (path: string) => readonly string[] {
  const paths = new Map<string, string[]>();
  const patterns = new Map<string, RegExp>();
  app.addHook('onRoute', ({ url, method }) => {
    paths.set(url, [...(paths.get(url) ?? []), method].flat());
    if (url.includes('/:')) patterns.set(url, patternOf(url));
  });
  return (path) => {
    const exact = paths.get(path);
    if (exact !== undefined) return exact;
    const url = patterns.keys().find((one) => patterns.get(one)?.test(path));
    if (url !== undefined) return paths.get(url) ?? [];
    // For the route `/` below a base path, Fastify adds a second one with a slash at its end, without calling the
    // hook. `hasRoute` finds it, but would parse a path with `:` or `*` as a pattern.
    const mayBeRoute = !/[:*]/.test(path);
    return mayBeRoute && app.hasRoute({ method: 'GET', url: path }) ? READ_METHODS : [];
  };
}

/** A parameter matches one non-empty segment of the path. */
const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
