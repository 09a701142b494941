/** Access tokens to be created, and the store that creates and revokes them. */

import type { Locale } from '../contract/record/labels.ts';
import type { Role } from '../contract/record/records.ts';
import type { TokenRecord } from './token-record.ts';

export interface NewToken {
  readonly role: Role;
  /** Empty for an admin. */
  readonly publisherIds: readonly number[];
  /** Empty: all programs. */
  readonly programIds: readonly number[];
  readonly locale?: Locale | undefined;
  readonly name?: string | undefined;
  readonly expiresAt?: Date | undefined;
  readonly mayManageTokens?: boolean | undefined;
}

/** A new token with its text, which is not stored and cannot be shown again. */
export interface CreatedToken {
  readonly token: string;
  readonly record: TokenRecord;
}

export interface TokenStore {
  createToken(newToken: NewToken): Promise<CreatedToken>;
  /** All tokens, newest first, also revoked and expired ones. */
  listTokens(): Promise<readonly TokenRecord[]>;
  /** False if there is no token with this id. */
  revokeToken(id: string): Promise<boolean>;
}
