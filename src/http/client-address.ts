/** IP address of the client: that of the connection, or the one that trusted proxies report in `X-Forwarded-For`. */

import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Prefix of an IPv4 address on an IPv6 socket (RFC 4291, 2.5.5.2). */
const IPV4_MAPPED = /^::ffff:(?=\d+\.)/i;

/**
 * The address; null if the client has disconnected already.
 *
 * A client can write anything into the header, even a token, and addresses are logged. So if a proxy reports
 * something that is not an IP address, the result is the address of that proxy.
 */
export function clientAddressOf({ ip, ips }: Pick<FastifyRequest, 'ip' | 'ips'>): string | null {
  const address = ips === undefined ? ip : ips.findLast((reported) => isIP(reported) !== 0);
  return address?.replace(IPV4_MAPPED, '') ?? null;
}
