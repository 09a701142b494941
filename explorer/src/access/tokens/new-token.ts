/** A new access token as the form describes it. */

import type { Me, NewTokenParameters } from '../../../../client/src/index.ts';
import type { Role } from '../../../../src/contract/record/records.ts';

export const LIFETIMES = ['7d', '30d', '90d', '365d', 'never'] as const;

export type Lifetime = (typeof LIFETIMES)[number];

export interface TokenDraft {
  readonly name: string;
  readonly role: Role;
  readonly publishers: string;
  readonly programs: string;
  /** Undefined for the default of the service: 90 days, but not longer than the user's own token. */
  readonly expires: Lifetime | undefined;
}

export const EMPTY_TOKEN_DRAFT: TokenDraft = {
  name: '',
  role: 'affiliate',
  publishers: '',
  programs: '',
  expires: undefined,
};

/** Identifiers are typed or pasted with commas, semicolons or blanks between them. */
const identifiersIn = (text: string): readonly string[] =>
  text.split(/[\s,;]+/).filter((part) => part !== '');

const listOrNothing = (items: readonly string[]) => (items.length === 0 ? undefined : items);

/** The parameters of the request. The service refuses wrong identifiers. */
export const parametersOf = (draft: TokenDraft): NewTokenParameters => ({
  role: draft.role,
  publisher_id: draft.role === 'admin' ? undefined : listOrNothing(identifiersIn(draft.publishers)),
  program_id: listOrNothing(identifiersIn(draft.programs)),
  name: draft.name.trim() === '' ? undefined : draft.name.trim(),
  expires: draft.expires,
});

const DAY = 86_400_000;

/** The lifetimes that end before the user's own token does. */
export function lifetimesWithin({ expires_at: end }: Me, now: number): readonly Lifetime[] {
  if (end === null) return LIFETIMES;
  const days = (Date.parse(end) - now) / DAY;
  return LIFETIMES.filter((lifetime) => Number.parseInt(lifetime, 10) < days);
}
