/** The origin under which clients reach the service, for absolute links. */

import type { FastifyRequest } from 'fastify';

/**
 * What comes before the path of a route in a URL: the configured URL without the base path, or the origin
 * that a trusted proxy reports. Empty if neither is known, so that links are relative.
 *
 * The header `Host` alone is not enough, because a proxy may replace it by an internal address, or add TLS.
 * A client that follows a wrong link would send its token to a wrong host or unencrypted.
 */
export function publicOriginOf(request: FastifyRequest): string {
  const { host, protocol, server } = request;
  if (server.publicOrigin !== undefined) return server.publicOrigin;
  if (!isReportedByProxy(request) || !/^https?$/.test(protocol)) return '';
  const origin = `${protocol}://${host}`;
  return URL.canParse(origin) && new URL(origin).origin === origin.toLowerCase() ? origin : '';
}

/** Whether a trusted proxy reports the protocol. `ips` has several addresses only behind such a proxy. */
const isReportedByProxy = ({ headers, ips }: FastifyRequest): boolean =>
  headers['x-forwarded-proto'] !== undefined && (ips?.length ?? 0) > 1;

/** The configured URL without the base path, because the paths of routes contain the base path. */
export const originAbove = (publicUrl: string, basePath: string): string =>
  publicUrl.slice(0, publicUrl.length - basePath.length);
