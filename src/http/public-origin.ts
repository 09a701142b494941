/** Under which URL clients reach the service, for absolute links. */

import type { FastifyRequest } from 'fastify';

/** The service itself speaks HTTP only. Behind an unknown proxy with TLS, such a link would send a token in the clear. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

/**
 * What comes before the path of a route in a URL: the configured URL, or the one that a trusted proxy
 * or a client on this machine has used. Empty if it is not known, so that links are relative.
 */
export function publicOriginOf(request: FastifyRequest): string {
  const { host, protocol, server } = request;
  if (server.publicOrigin !== undefined) return server.publicOrigin;
  if (LOOPBACK.test(host)) return `${protocol === 'https' ? 'https' : 'http'}://${host}`;
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
