/** Keeps webhooks from the operator's own network (SSRF): refuses addresses that are neither public nor allowed. */

import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;

/** An address or a range in CIDR notation, such as `10.0.0.0/8`. */
export type Network = readonly [Address, number];

/** Throws if a text is neither an address nor a range. */
export const readNetworks = (texts: readonly string[]): readonly Network[] =>
  texts.map((text) => {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });

/** Global unicast addresses of IPv6. Everything else is reserved, local or a translation of IPv4. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** Whether messages may be sent to an address. Without encryption, it must be in a network of `allowed`. */
export function isAllowedAddress(
  text: string,
  isEncrypted: boolean,
  allowed: readonly Network[],
): boolean {
  // A zone such as %eth0 belongs to link-local addresses.
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (allowed.some((network) => isWithin(address, network))) return true;
  return isEncrypted && isPublic(address);
}

const isWithin = (address: Address, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

/** The library does not count special-use ranges of IANA's registries as `unicast`. */
const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || isWithin(address, GLOBAL_UNICAST));
