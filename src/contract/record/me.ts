/** The response of `GET /api/me`: what a token may read, and what is left of its limits. */

import type { Locale } from './labels.ts';
import type { Role } from './records.ts';

export interface Me {
  /** The name that the operator gave the token. Null if it has none. */
  readonly name: string | null;
  readonly role: Role;
  /** The websites whose transactions the token may read. */
  readonly publisher_ids: readonly number[] | 'all';
  /** The programs whose transactions the token may read. */
  readonly program_ids: readonly number[] | 'all';
  /** The language of the labels. Null if the header Accept-Language of each request decides. */
  readonly locale: Locale | null;
  /** The platform's time zone, in which days begin and end. */
  readonly time_zone: string;
  /** The platform's currency (ISO 4217 code). Null if the operator has not set it. */
  readonly currency: string | null;
  /** Whether the token may manage tokens and webhooks within its own rights. */
  readonly may_manage_tokens: boolean;
  /** When the token expires, in UTC (RFC 3339). Null if it does not. */
  readonly expires_at: string | null;
  /** Null if there is no such limit. */
  readonly limits: { readonly requests: MyRequests | null; readonly downloads: MyDownloads | null };
}

interface MyDownloads {
  readonly limit: number;
  readonly remaining: number;
}

interface MyRequests extends MyDownloads {
  readonly window_seconds: number;
  /** Seconds until the limit is reset. */
  readonly reset_seconds: number;
}
