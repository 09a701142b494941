/** Resolves the host of a webhook to addresses that it may be delivered to, and pins the connection to them. */

import { Resolver } from 'node:dns/promises';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { isAllowedAddress, type Network } from './address-guard.ts';

/** The host has no address that is allowed. The message names the reason and no address. */
export class ForbiddenAddress extends Error {}

/** All addresses of a name. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** Error codes by which a name server says that there is no address. */
const HAS_NO_ADDRESS = ['ENOTFOUND', 'ENODATA'];

/** All addresses of a name by DNS; none if the name does not exist. Ignores `/etc/hosts`. */
export async function resolveName(name: string): Promise<readonly string[]> {
  // Not `dns.lookup`: while a name server does not answer, it would block threads that the engine needs.
  // A resolver for each lookup, because it reads the addresses of the name servers only when it is created.
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  return addressesIn(await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]));
}

/** The addresses in the answers for IPv4 and IPv6. Throws if there is none and a name server has not answered. */
export function addressesIn(
  answers: readonly PromiseSettledResult<readonly string[]>[],
): readonly string[] {
  const addresses = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? answer.value : [],
  );
  const failed = answers.find(
    (answer) => answer.status === 'rejected' && !HAS_NO_ADDRESS.includes(answer.reason.code),
  );
  if (addresses.length === 0 && failed?.status === 'rejected') throw failed.reason;
  // A missing name gives no addresses instead of an error. So it fails like a name with private addresses
  // only, and nobody can find out which internal names exist.
  return addresses;
}

export interface HostRules {
  readonly isEncrypted: boolean;
  readonly allowed: readonly Network[];
  readonly resolve: ResolveName;
}

/** Checks a host that is an address, because connections do not call the lookup for it. */
export function refuseForbiddenHost(hostname: string, { isEncrypted, allowed }: HostRules): void {
  const host = hostname.replaceAll(/[[\]]/g, '');
  if (isIP(host) !== 0 && !isAllowedAddress(host, isEncrypted, allowed)) throw forbidden();
}

/** The lookup of a connection. It returns only allowed addresses, so the connection goes to one of these. */
export const guardedLookup =
  ({ isEncrypted, allowed, resolve }: HostRules): LookupFunction =>
  (name, options, callback) => {
    const found = resolve(name).then((addresses) => {
      const usable = addresses.filter((address) => isAllowedAddress(address, isEncrypted, allowed));
      if (usable.length === 0) throw forbidden();
      return usable.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    });
    found.then(
      (usable) => {
        const [first] = usable;
        if (options.all) callback(null, usable);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };

const forbidden = (): ForbiddenAddress =>
  new ForbiddenAddress(
    'the host has no public address, and WEBHOOK_ALLOWED_NETWORKS does not name its network',
  );
