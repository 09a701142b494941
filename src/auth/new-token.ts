/** Access tokens and sign-in links to be created, and the store that creates and revokes them. */

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
  /** The id of the token that creates it; undefined for a command. */
  readonly createdBy?: string | undefined;
}

/** A new token with its text, which is not stored and cannot be shown again. */
export interface CreatedToken {
  readonly token: string;
  readonly record: TokenRecord;
}

/** A new sign-in link with its code, which is not stored and cannot be shown again. */
export interface CreatedLink {
  readonly code: string;
  /** The token that the link will give, with `linkExpiresAt`. */
  readonly record: TokenRecord;
}

export interface TokenStore {
  createToken(newToken: NewToken): Promise<CreatedToken>;
  /** Creates a link that gives the token to the first one who opens it in time. */
  createLink(newToken: NewToken): Promise<CreatedLink>;
  /** All tokens, newest first, also revoked and expired ones, and the links that can still be used. */
  listTokens(): Promise<readonly TokenRecord[]>;
  /** Revokes a token, or a link and the token that it gave. False if there is none with this id. */
  revokeToken(id: string): Promise<boolean>;
}

/** Exchanges the code of a link for its token. Undefined if the code is unknown, used, revoked or expired. */
export type ExchangeCode = (code: string) => Promise<CreatedToken | undefined>;
