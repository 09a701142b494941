/** The SQL expression of what a role sees of an IP address: all of it, its network, or nothing. */

import { assertNever } from '../contract/assert-never.ts';
import type { Visibility } from '../contract/record/address-visibility.ts';

/** What is shown of the address in a column. */
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

/** Zeros in all bytes after the first three of IPv4, also in IPv6 (::ffff:192.0.2.1). */
const CUT_OF_IPV4 = 1;

/** Zeros in the last 80 bits. */
const CUT_OF_IPV6 = 10;

/** An address of 6to4 (2002::/16, RFC 3056) contains an IPv4 address in the 32 bits that follow. */
const CUT_OF_6TO4 = 11;

/** Null for a text that is no address. */
function maskedAddress(column: string): string {
  const number = `IPv6StringToNumOrDefault(${column})`;
  const cut = (bytes: number) => `cutIPv6(${number}, ${bytes}, ${CUT_OF_IPV4})`;
  return `multiIf(isIPv4String(${column}), IPv4NumToString(bitAnd(IPv4StringToNumOrDefault(${column}), 4294967040)), isIPv6String(${column}), if(startsWith(hex(${number}), '2002'), ${cut(CUT_OF_6TO4)}, ${cut(CUT_OF_IPV6)}), NULL)`;
}
