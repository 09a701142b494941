/** Reads network addresses in settings and flags. */

import { isIP } from 'node:net';

/** Ranges that have a name in proxy-addr, which Fastify uses. */
const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal'];

/** Bits of an address, by the version of IP. */
const ADDRESS_BITS: ReadonlyMap<number, number> = new Map([
  [4, 32],
  [6, 128],
]);

/** Whether a text is an IPv4 or IPv6 address. `isIP` accepts zones such as fe80::1%eth0, but the engine does not. */
export const isAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%');

/** The addresses, CIDR ranges and named ranges of proxies, separated by commas. */
export function asProxies(text: string): readonly string[] {
  if (text.trim() === '') return [];
  const proxies = text.split(',').map((proxy) => proxy.trim());
  if (proxies.every(isProxy)) return [...new Set(proxies)];
  throw new Error(
    `must contain addresses or ranges such as 192.0.2.10 and 10.0.0.0/8, or the names ${NAMED_RANGES.join(', ')}, all separated by commas; a range of all addresses such as 0.0.0.0/0 is refused`,
  );
}

/** Addresses and CIDR ranges, separated by commas. */
export function asNetworks(text: string): readonly string[] {
  if (text.trim() === '') return [];
  const networks = text.split(',').map((network) => network.trim());
  if (networks.every(isNetwork)) return [...new Set(networks)];
  throw new Error(
    'must contain addresses or ranges such as 192.0.2.10 or 10.0.0.0/8, separated by commas; a range of all addresses such as 0.0.0.0/0 is refused',
  );
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** An address and a port, such as `127.0.0.1:9464` or `[::1]:9464`. */
export function asListenAddress(text: string): ListenAddress {
  const [, host = '', port = ''] = /^([^:[\]]+|\[[^\]]+\]):(\d{1,5})$/.exec(text) ?? [];
  if (host !== '' && Number(port) <= 65_535) {
    return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port) };
  }
  throw new Error('must be an address and a port, such as 127.0.0.1:9464 or [::1]:9464');
}

const isProxy = (text: string): boolean => NAMED_RANGES.includes(text) || isNetwork(text);

/** Refuses a prefix of 0, which would mean every address. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...others] = text.split('/');
  const bits = ADDRESS_BITS.get(isIP(address));
  if (bits === undefined || !isAddress(address) || others.length > 0) return false;
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits);
}
