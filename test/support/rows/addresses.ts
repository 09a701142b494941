/** Rows whose IP addresses are recognizable by the part that a mask removes. */

import type {
  AddressVisibility,
  Visibility,
} from '../../../src/contract/record/address-visibility.ts';
import { type FileRow, fileRow } from './file-rows.ts';

/** Addresses, and their networks. A 6to4 address contains an IPv4 address, here 192.0.2.77. */
export const NETWORKS: ReadonlyMap<string, string> = new Map([
  ['203.0.113.77', '203.0.113.0'],
  ['::ffff:198.51.100.77', '::ffff:198.51.100.0'],
  ['2001:db8:aaaa:bbbb:cccc:dddd:eeee:77', '2001:db8:aaaa::'],
  ['2002:c000:24d:bbbb::77', '2002:c000:200::'],
]);

/** What a mask removes: as text, and as hexadecimal digits. Random identifiers, such as request ids, do not match. */
export const HIDDEN_PART = /\.77\b|:bbbb|aaaabbbb|:77\b|c000:24d|cb00714d|c633644d/i;

/** What is shown of an address. */
export function shown(address: string, visibility: Visibility): string | null {
  if (visibility === 'hidden') return null;
  return visibility === 'masked' ? (NETWORKS.get(address) ?? '') : address;
}

export const EVERYBODY: Readonly<Record<Visibility, AddressVisibility>> = {
  full: { admin: 'full', affiliate: 'full' },
  masked: { admin: 'masked', affiliate: 'masked' },
  hidden: { admin: 'hidden', affiliate: 'hidden' },
};

/** A sale for each address. The sales alternate between two months. */
export const addressRows = (): readonly FileRow[] =>
  [...NETWORKS.keys()].map((ip_address, at) =>
    fileRow({
      ip_address,
      transaction_id: at + 1,
      created_at: `2026-0${1 + (at % 2)}-1${at} 12:00:00`,
    }),
  );

/** The addresses of these rows in the order of a list. */
export const ADDRESSES_IN_ORDER = addressRows()
  .toSorted((one, other) => String(one.created_at).localeCompare(String(other.created_at)))
  .map(({ ip_address }) => String(ip_address));
