/** Under which URL clients reach the service, for absolute links. */

import type { FastifyRequest } from 'fastify';

/**
 * What comes before the path of a route in a URL: the configured URL, or the one that a trusted proxy
 * reports. Empty if neither is there, so that links are relative.
 *
 * The header `Host` alone is not enough. A proxy may replace it by an address of its own machine, or
 * add TLS, and a client would send its token to a wrong place or in the clear.
 */
export function publicOriginOf(request: FastifyRequest): string {
  const { host, protocol, server } = request;
  if (server.publicOrigin !== undefined) return server.publicOrigin;
  if (!isReportedByProxy(request) || !/^https?$/.test(protocol)) return '';
  const origin = `${protocol}://${host}`;
  return URL.canParse(origin) && new URL(origin).origin === origin.toLowerCase() ? origin : '';
}

/** Only trusted proxies add addresses to those of the connection. */
const isReportedByProxy = ({ headers, ips }: FastifyRequest): boolean =>
  headers['x-forwarded-proto'] !== undefined && (ips?.length ?? 0) > 1;

/** The configured URL without the base path, with which the paths of routes begin. */
export const originAbove = (publicUrl: string, basePath: string): string =>
  publicUrl.slice(0, publicUrl.length - basePath.length);
