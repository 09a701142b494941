/**
 * What a principal that manages access tokens and webhooks may do: only what is within its own rights.
 *
 * It may not create a token that reads more programs, expires later or manages tokens. Otherwise a thief
 * could replace a stolen token by one with more rights. When a token is revoked, the tokens that it has
 * created stay valid; the audit log names them. Webhooks never expire, so only a token that never expires
 * can add one.
 */

import { Problem } from '../contract/problems/problems.ts';
import { DEFAULT_LIFETIME, endOfLifetime } from '../contract/tokens/lifetime.ts';
import type { NewTokenQuery } from '../contract/tokens/token-parameters.ts';
import type { NewToken } from './new-token.ts';
import type { Principal } from './principal.ts';
import type { TokenRecord } from './token-record.ts';

export function requireTokenManagement({ mayManageTokens }: Principal): void {
  if (mayManageTokens !== true) throw new Problem('token_management_forbidden');
}

/** Whether the principal may read all programs that the token or webhook reads. Compares no other rights. */
export const isWithinRights = (
  { programIds: own }: Pick<Principal, 'programIds'>,
  { programIds }: { readonly programIds: readonly number[] },
): boolean =>
  own === 'all' || (programIds.length > 0 && programIds.every((id) => own.includes(id)));

const OWN_PROGRAMS = 'Name some of your own programs in program_id.';

/** Throws `token_too_wide` if the webhook reads programs that the principal does not, or if the principal expires. */
export function refuseWiderWebhook(
  principal: Principal,
  { programIds }: { readonly programIds: readonly number[] },
): void {
  if (!isWithinRights(principal, { programIds })) {
    throw new Problem('token_too_wide', { hint: OWN_PROGRAMS });
  }
  const { expiresAt } = principal;
  if (expiresAt === undefined) return;
  const hint = `A webhook does not expire, but your own token does, at ${expiresAt.toISOString()}.`;
  throw new Problem('token_too_wide', { hint });
}

/** The token that the principal asks for. Throws a Problem if its programs or its expiry are not allowed. */
export function newTokenWithin(principal: Principal, query: NewTokenQuery, now: Date): NewToken {
  const { role, publisher_id: publisherIds = [], program_id: programIds = [] } = query;
  if (!isWithinRights(principal, { programIds })) {
    throw new Problem('token_too_wide', { hint: OWN_PROGRAMS });
  }
  const { locale, name } = query;
  return {
    role,
    publisherIds,
    programIds,
    locale,
    name,
    expiresAt: expiryOf(principal, query, now),
    createdBy: principal.id,
  };
}

function expiryOf({ expiresAt: own }: Principal, { expires }: NewTokenQuery, now: Date) {
  const asked = endOfLifetime(expires ?? DEFAULT_LIFETIME, now);
  if (asked === undefined) {
    const detail = 'Must end before the year 2106, or be never.';
    throw new Problem('invalid_parameters', {
      faults: [{ parameter: 'expires', code: 'invalid', detail }],
    });
  }
  const end = asked === 'never' ? undefined : asked;
  if (own === undefined || (end !== undefined && end <= own)) return end;
  if (expires === undefined) return own;
  throw new Problem('token_too_wide', { hint: `Your own token expires at ${own.toISOString()}.` });
}

/** Throws a problem if the principal may not revoke the token. A token beyond its rights counts as missing. */
export function refuseRevocation(principal: Principal, record: TokenRecord | undefined): void {
  if (record === undefined || !isWithinRights(principal, record)) {
    throw new Problem('token_not_found');
  }
  if (record.mayManageTokens && record.id !== principal.id) {
    const hint = 'Only the operator can revoke another token that manages tokens.';
    throw new Problem('token_management_forbidden', { hint });
  }
}
