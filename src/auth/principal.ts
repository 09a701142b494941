/** Principal: an authenticated client and the data that it may see. */

import type { Locale } from '../contract/record/labels.ts';
import type { Role } from '../contract/record/records.ts';

/** The identifiers that a principal may see. */
export type Scope = readonly number[] | 'all';

export interface Principal {
  /** The id of the access token, or the subject of the JSON Web Token; safe to log. */
  readonly id: string;
  readonly role: Role;
  /** The websites of an affiliate. */
  readonly publisherIds: Scope;
  readonly programIds: Scope;
  readonly locale?: Locale;
  readonly expiresAt?: Date;
}

export const mayRead = (scope: Scope, identifier: number): boolean =>
  scope === 'all' || scope.includes(identifier);
