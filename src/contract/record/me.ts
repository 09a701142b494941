/** What `GET /api/me` tells whoever asks about themselves. */

import type { Locale } from './labels.ts';
import type { Role } from './records.ts';

export interface Me {
  readonly role: Role;
  /** The websites whose transactions are theirs to read. */
  readonly publisher_ids: readonly number[] | 'all';
  /** The programs whose transactions are theirs to read. */
  readonly program_ids: readonly number[] | 'all';
  /** The language of the labels; null: the request's. */
  readonly locale: Locale | null;
  /** The platform's: days begin and end on its clock. */
  readonly time_zone: string;
  /** When the access ends, in UTC (RFC 3339); null: it does not. */
  readonly expires_at: string | null;
  /** Null: there is no such limit. */
  readonly limits: { readonly requests: MyRequests | null; readonly downloads: MyDownloads | null };
}

interface MyDownloads {
  readonly limit: number;
  readonly remaining: number;
}

interface MyRequests extends MyDownloads {
  readonly window_seconds: number;
  /** Seconds until all of them are there again. */
  readonly reset_seconds: number;
}
