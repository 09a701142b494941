/** Stores and finds access tokens in the database. */

import * as v from 'valibot';
import type { TokenRecord } from '../auth/token-record.ts';
import { LOCALES } from '../contract/record/labels.ts';
import { ROLES } from '../contract/record/records.ts';
import type { Engine, Reader } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { bind, command, raw, type Sql, sql, statementOf } from '../plan/sql.ts';

const SHOWN = raw(`id, hash, role, publisher_ids, program_ids, locale, name, may_manage_tokens,
  toUnixTimestamp(created_at) AS created, toUnixTimestamp(expires_at) AS expires, toUnixTimestamp(revoked_at) AS revoked`);

const TOKEN = v.object({
  id: v.string(),
  hash: v.string(),
  role: v.picklist(ROLES),
  publisher_ids: v.array(INTEGER),
  program_ids: v.array(INTEGER),
  // A later version may know more languages.
  locale: v.fallback(v.nullable(v.picklist(LOCALES)), null),
  name: v.nullable(v.string()),
  may_manage_tokens: v.boolean(),
  created: INTEGER,
  expires: v.nullable(INTEGER),
  revoked: v.nullable(INTEGER),
});

type TokenRow = v.InferOutput<typeof TOKEN>;

/** The token with this hash, also if it is revoked. */
export const findToken = async (reader: Reader, hash: string): Promise<TokenRecord | undefined> =>
  (await findTokens(reader, [hash])).get(hash);

/** The tokens with these hashes by hash, also revoked ones. */
export async function findTokens(
  reader: Reader,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, TokenRecord>> {
  const rows = await tokenRows(reader, sql`WHERE hash IN ${bind('Array(String)', hashes)}`);
  return new Map(rows.map((row) => [row.hash, recordOf(row)]));
}

/** The hashes of all tokens that are neither revoked nor expired. */
export async function validTokenHashes(reader: Reader): Promise<readonly string[]> {
  const valid = command(
    'SELECT hash FROM tokens FINAL WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())',
  );
  const rows = await reader.rows(select(v.object({ hash: v.string() }), valid));
  return rows.map(({ hash }) => hash);
}

/** Those of the ids whose token is revoked. */
export async function revokedTokens(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const revoked = statementOf(
    sql`SELECT id FROM tokens FINAL WHERE revoked_at IS NOT NULL AND id IN ${bind('Array(String)', ids)}`,
  );
  const rows = await reader.rows(select(v.object({ id: v.string() }), revoked));
  return new Set(rows.map(({ id }) => id));
}

/** All tokens, newest first. */
export async function listTokens(reader: Reader): Promise<readonly TokenRecord[]> {
  return (await tokenRows(reader, raw('ORDER BY created_at DESC, id'))).map(recordOf);
}

const COUNTS = v.object({ valid: INTEGER, ending: INTEGER });

/** How many tokens are valid, and how many of these expire within a week. */
export async function countTokens(
  reader: Reader,
  signal: AbortSignal,
): Promise<v.InferOutput<typeof COUNTS> | undefined> {
  const valid = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())';
  const text = `SELECT countIf(${valid}) AS valid,
  countIf(${valid} AND expires_at < now() + INTERVAL 7 DAY) AS ending
FROM tokens FINAL`;
  const [counts] = await reader.rows(select(COUNTS, command(text)), signal);
  return counts;
}

/** The stored columns. Named, because tables of earlier versions have others. */
const STORED = raw(
  'id, hash, role, publisher_ids, program_ids, locale, name, may_manage_tokens, created_at, expires_at, revoked_at, revision',
);

/** Stores a new token under its hash. */
export async function insertToken(engine: Engine, record: TokenRecord, hash: string) {
  await engine.execute(
    statementOf(sql`INSERT INTO tokens (${STORED})
SELECT ${bind('String', record.id)}, ${bind('String', hash)}, ${bind('String', record.role)},
  ${bind('Array(UInt64)', record.publisherIds)}, ${bind('Array(UInt64)', record.programIds)},
  ${text(record.locale)}, ${text(record.name)}, ${bind('UInt8', Number(record.mayManageTokens))},
  ${instant(record.createdAt)}, ${instant(record.expiresAt)}, NULL, 1`),
  );
}

/** Revokes a token for good. Returns false if no token has this id. */
export async function revokeToken(engine: Engine, id: string, at: Date): Promise<boolean> {
  const found = await tokenRows(engine, sql`WHERE id = ${bind('String', id)}`);
  if (found.length === 0) return false;
  await engine.execute(
    statementOf(sql`INSERT INTO tokens (${STORED})
SELECT id, hash, role, publisher_ids, program_ids, locale, name, may_manage_tokens, created_at, expires_at,
  ${instant(at)}, 2
FROM tokens FINAL WHERE id = ${bind('String', id)} AND revoked_at IS NULL`),
  );
  return true;
}

async function tokenRows(reader: Reader, which: Sql): Promise<readonly TokenRow[]> {
  const statement = statementOf(sql`SELECT ${SHOWN} FROM tokens FINAL ${which}`);
  return await reader.rows(select(TOKEN, statement));
}

const text = (value: string | undefined): Sql =>
  value === undefined ? raw('NULL') : sql`${bind('String', value)}`;

const instant = (value: Date | undefined): Sql =>
  value === undefined
    ? raw('NULL')
    : sql`toDateTime(${bind('UInt32', Math.floor(value.getTime() / 1000))}, 'UTC')`;

const dateOf = (seconds: number | null): Date | undefined =>
  seconds === null ? undefined : new Date(seconds * 1000);

function recordOf(row: TokenRow): TokenRecord {
  return {
    id: row.id,
    role: row.role,
    publisherIds: row.publisher_ids,
    programIds: row.program_ids,
    locale: row.locale ?? undefined,
    name: row.name ?? undefined,
    mayManageTokens: row.may_manage_tokens,
    createdAt: new Date(row.created * 1000),
    expiresAt: dateOf(row.expires),
    revokedAt: dateOf(row.revoked),
  };
}
