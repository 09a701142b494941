/** Principal: an authenticated client and the data that it may see. */

import type { Locale } from '../contract/record/labels.ts';
import type { Role } from '../contract/record/records.ts';

/** The identifiers that a principal may see. */
export type Scope = readonly number[] | 'all';

export interface Principal {
  /** The id of the access token, or the subject of the JSON Web Token; safe to log. */
  readonly id: string;
  /** The name of the access token. */
  readonly name?: string;
  readonly role: Role;
  /** The websites of an affiliate. */
  readonly publisherIds: Scope;
  readonly programIds: Scope;
  /** Whether it may manage access tokens and webhooks within its own rights. */
  readonly mayManageTokens?: true;
  readonly locale?: Locale;
  readonly expiresAt?: Date;
}

/** Caches the key of each list, because sorting thousands of websites takes a tenth of a small request's time. */
const clients = new WeakMap<readonly number[], string>();

/** Identifies the client of a principal. All tokens and subjects of the same websites are one client. */
export function clientKeyOf({ id, role, publisherIds }: Principal): string {
  if (role === 'admin' || publisherIds === 'all') return `principal ${id}`;
  const known = clients.get(publisherIds);
  if (known !== undefined) return known;
  const client = `websites ${publisherIds.toSorted((one, other) => one - other).join()}`;
  clients.set(publisherIds, client);
  return client;
}

export const mayRead = (scope: Scope, identifier: number): boolean =>
  scope === 'all' || scope.includes(identifier);
