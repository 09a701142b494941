/** The SQL expression of what a role sees of an IP address: all of it, its network, or nothing. */

import { assertNever } from '../contract/assert-never.ts';
import type { Visibility } from '../contract/record/address-visibility.ts';

/** The SQL expression of what is shown of the IP address in a column. */
export function shownAddress(column: string, visibility: Visibility): string {
  switch (visibility) {
    case 'full':
      return column;
    case 'masked':
      return maskedAddress(column);
    case 'hidden':
      return "CAST(NULL, 'Nullable(String)')";
    default:
      return assertNever(visibility);
  }
}

/** Bytes masked at the end of an IPv4 address, also of one that is written as IPv6 (::ffff:192.0.2.1). */
const CUT_OF_IPV4 = 1;

/** Bytes masked at the end of an IPv6 address. */
const CUT_OF_IPV6 = 10;

/** Bytes masked at the end of a 6to4 address (2002::/16, RFC 3056), including the last one of its IPv4 address. */
const CUT_OF_6TO4 = 11;

/** Null for a text that is no address. */
function maskedAddress(column: string): string {
  const number = `IPv6StringToNumOrDefault(${column})`;
  const cut = (bytes: number) => `cutIPv6(${number}, ${bytes}, ${CUT_OF_IPV4})`;
  return `multiIf(isIPv4String(${column}), IPv4NumToString(bitAnd(IPv4StringToNumOrDefault(${column}), 4294967040)), isIPv6String(${column}), if(startsWith(hex(${number}), '2002'), ${cut(CUT_OF_6TO4)}, ${cut(CUT_OF_IPV6)}), NULL)`;
}
