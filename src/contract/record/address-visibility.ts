/** How much of an IP address each role sees. */

import { ROLES, type Role } from './records.ts';

/** The whole address; its network, which is /24 of IPv4 and /48 of IPv6; or null. */
export const VISIBILITIES = ['full', 'masked', 'hidden'] as const;

export type Visibility = (typeof VISIBILITIES)[number];

export type AddressVisibility = { readonly [role in Role]: Visibility };

/** The default. */
export const FULL_ADDRESSES: AddressVisibility = { admin: 'full', affiliate: 'full' };

const EXPECTED = `must be one of ${VISIBILITIES.join(', ')} for everybody, or for single roles: affiliate=masked, admin=full`;

/** Parses `masked`, or `affiliate=masked, admin=full`. A role that is not named sees full addresses. */
export function readAddressVisibility(text: string): AddressVisibility {
  const everybody = visibilityNamed(text.trim());
  if (everybody !== undefined) return { admin: everybody, affiliate: everybody };
  const named = text.split(',').map(readPart);
  const roles = named.map(({ role }) => role);
  if (new Set(roles).size < roles.length) throw new Error(EXPECTED);
  const of = (role: Role) =>
    named.find((part) => part.role === role)?.visibility ?? FULL_ADDRESSES[role];
  return { admin: of('admin'), affiliate: of('affiliate') };
}

function readPart(text: string): { readonly role: Role; readonly visibility: Visibility } {
  const [name, value = '', ...rest] = text.split('=').map((part) => part.trim());
  const role = ROLES.find((known) => known === name);
  const visibility = visibilityNamed(value);
  if (role === undefined || visibility === undefined || rest.length > 0) throw new Error(EXPECTED);
  return { role, visibility };
}

const visibilityNamed = (text: string): Visibility | undefined =>
  VISIBILITIES.find((known) => known === text);

/** The text that {@link readAddressVisibility} parses. */
export const addressVisibilityText = ({ affiliate, admin }: AddressVisibility): string =>
  `affiliate=${affiliate}, admin=${admin}`;
