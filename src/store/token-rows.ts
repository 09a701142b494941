/** Rows that describe an access token, in the table of tokens or in that of sign-in links. */

import * as v from 'valibot';
import type { TokenRecord } from '../auth/token-record.ts';
import { LOCALES } from '../contract/record/labels.ts';
import { ROLES } from '../contract/record/records.ts';
import { INTEGER } from '../plan/select.ts';
import { bind, raw, type Sql, sql } from '../plan/sql.ts';

/** The stored columns. An INSERT must name them, because migrations append columns in another order. */
export const TOKEN_COLUMNS = raw(
  'id, hash, role, publisher_ids, program_ids, locale, name, may_manage_tokens, created_by, created_at, expires_at',
);

/** The values of `TOKEN_COLUMNS`, in the same order. */
export const valuesOf = (
  record: TokenRecord,
  hash: string,
): Sql => sql`${bind('String', record.id)}, ${bind('String', hash)}, ${bind('String', record.role)},
  ${bind('Array(UInt64)', record.publisherIds)}, ${bind('Array(UInt64)', record.programIds)},
  ${text(record.locale)}, ${text(record.name)}, ${bind('UInt8', Number(record.mayManageTokens))},
  ${text(record.createdBy)}, ${instant(record.createdAt)}, ${instant(record.expiresAt)}`;

/** The columns of `TOKEN_ROW`. */
export const TOKEN_ROW_COLUMNS =
  raw(`id, hash, role, publisher_ids, program_ids, locale, name, may_manage_tokens, created_by,
  toUnixTimestamp(created_at) AS created, toUnixTimestamp(expires_at) AS expires`);

export const TOKEN_ROW = v.object({
  id: v.string(),
  hash: v.string(),
  role: v.picklist(ROLES),
  publisher_ids: v.array(INTEGER),
  program_ids: v.array(INTEGER),
  // A later version may know more languages.
  locale: v.fallback(v.nullable(v.picklist(LOCALES)), null),
  name: v.nullable(v.string()),
  may_manage_tokens: v.boolean(),
  created_by: v.nullable(v.string()),
  created: INTEGER,
  expires: v.nullable(INTEGER),
});

/** The token of a row. Whether it is revoked is not in these columns. */
export const tokenOfRow = (row: v.InferOutput<typeof TOKEN_ROW>): TokenRecord => ({
  id: row.id,
  role: row.role,
  publisherIds: row.publisher_ids,
  programIds: row.program_ids,
  locale: row.locale ?? undefined,
  name: row.name ?? undefined,
  mayManageTokens: row.may_manage_tokens,
  createdBy: row.created_by ?? undefined,
  createdAt: new Date(row.created * 1000),
  expiresAt: dateOf(row.expires),
  revokedAt: undefined,
});

export const dateOf = (seconds: number | null): Date | undefined =>
  seconds === null ? undefined : new Date(seconds * 1000);

export const instant = (value: Date | undefined): Sql =>
  value === undefined
    ? raw('NULL')
    : sql`toDateTime(${bind('UInt32', Math.floor(value.getTime() / 1000))}, 'UTC')`;

const text = (value: string | undefined): Sql =>
  value === undefined ? raw('NULL') : sql`${bind('String', value)}`;
