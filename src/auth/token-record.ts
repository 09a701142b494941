/** Stored access token: its principal and expiry, but not its text. */

import { Problem } from '../contract/problems/problems.ts';
import type { Locale } from '../contract/record/labels.ts';
import type { Role } from '../contract/record/records.ts';
import type { Principal } from './principal.ts';

export interface TokenRecord {
  readonly id: string;
  readonly role: Role;
  readonly publisherIds: readonly number[];
  /** Empty: all programs. */
  readonly programIds: readonly number[];
  readonly locale: Locale | undefined;
  readonly name: string | undefined;
  readonly mayManageTokens: boolean;
  /** The id of the token that created this one. Undefined if a command or an earlier version created it. */
  readonly createdBy: string | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
  /** When the sign-in link expires, if the record is an unused link instead of a token. */
  readonly linkExpiresAt?: Date | undefined;
}

/** Looks a token up by the hash of its text. */
export type FindToken = (hash: string) => Promise<TokenRecord | undefined>;

/** Looks up several tokens. The map omits unknown hashes. */
export type FindTokens = (hashes: readonly string[]) => Promise<ReadonlyMap<string, TokenRecord>>;

/** The principal of a token; throws a Problem if the token is unknown, revoked or expired. */
export function principalOf(record: TokenRecord | undefined, now: Date): Principal {
  if (record === undefined) throw new Problem('token_invalid');
  if (record.revokedAt !== undefined) throw new Problem('token_revoked');
  if (record.expiresAt !== undefined && record.expiresAt <= now) throw new Problem('token_expired');
  return {
    id: record.id,
    role: record.role,
    publisherIds: record.role === 'admin' ? 'all' : record.publisherIds,
    programIds: record.programIds.length === 0 ? 'all' : record.programIds,
    ...(record.mayManageTokens ? { mayManageTokens: true } : {}),
    ...(record.name === undefined ? {} : { name: record.name }),
    ...(record.locale === undefined ? {} : { locale: record.locale }),
    ...(record.expiresAt === undefined ? {} : { expiresAt: record.expiresAt }),
  };
}
