/** Who asks, and what of the data is theirs. */

import type { Locale } from '../contract/record/labels.ts';
import type { Role } from '../contract/record/records.ts';

/** The identifiers that someone may see: some, or all of them. */
export type Scope = readonly number[] | 'all';

export interface Principal {
  /** The token's id, or the subject of the identity provider's token; safe to log. */
  readonly id: string;
  readonly role: Role;
  /** For an affiliate: their websites. */
  readonly publisherIds: Scope;
  readonly programIds: Scope;
  readonly locale?: Locale;
  readonly expiresAt?: Date;
}

export const mayRead = (scope: Scope, identifier: number): boolean =>
  scope === 'all' || scope.includes(identifier);
