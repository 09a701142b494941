/** Stores and finds access tokens in the database. */

import * as v from 'valibot';
import type { TokenRecord } from '../auth/token-record.ts';
import type { Engine, Reader } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { bind, plainStatement, raw, type Sql, sql, statementOf } from '../plan/sql.ts';
import { fromAnsweringServers, type TokenTables } from './every-server.ts';
import {
  dateOf,
  instant,
  TOKEN_COLUMNS,
  TOKEN_ROW,
  TOKEN_ROW_COLUMNS,
  tokenOfRow,
  valuesOf,
} from './token-rows.ts';

const SHOWN = sql`${TOKEN_ROW_COLUMNS}, toUnixTimestamp(revoked_at) AS revoked`;

const TOKEN = v.object({ ...TOKEN_ROW.entries, revoked: v.nullable(INTEGER) });

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
  return new Map(rows.map((row) => [row.hash, tokenOf(row)]));
}

/** The hashes of all tokens that are neither revoked nor expired. */
export async function validTokenHashes(reader: Reader): Promise<readonly string[]> {
  const valid = plainStatement(
    'SELECT hash FROM tokens FINAL WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())',
  );
  const rows = await reader.rows(select(v.object({ hash: v.string() }), valid));
  return rows.map(({ hash }) => hash);
}

/** Whether the token with this id is revoked, according to any server that answers. */
export async function isRevokedToken(place: TokenTables, id: string): Promise<boolean> {
  const { rows, failure } = await fromAnsweringServers(place, 'tokens', async (reader, table) => [
    await revokedTokens(reader, [id], table),
  ]);
  if (rows.length === 0 && failure !== undefined) throw failure;
  return rows.some((revoked) => revoked.has(id));
}

/** Those of the given ids whose token is revoked. */
export async function revokedTokens(
  reader: Reader,
  ids: readonly string[],
  table = 'tokens',
): Promise<ReadonlySet<string>> {
  const revoked = statementOf(
    sql`SELECT id FROM ${raw(table)} FINAL WHERE revoked_at IS NOT NULL AND id IN ${bind('Array(String)', ids)}`,
  );
  const rows = await reader.rows(select(v.object({ id: v.string() }), revoked));
  return new Set(rows.map(({ id }) => id));
}

/** All tokens, newest first. */
export async function listTokens(reader: Reader): Promise<readonly TokenRecord[]> {
  return (await tokenRows(reader, raw('ORDER BY created_at DESC, id'))).map(tokenOf);
}

/** How many valid tokens a token has created. */
export async function countTokensOf(reader: Reader, creator: string): Promise<number> {
  const count = sql`SELECT count() AS valid FROM tokens FINAL
WHERE created_by = ${bind('String', creator)} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`;
  const [row] = await reader.rows(select(v.object({ valid: INTEGER }), statementOf(count)));
  return row?.valid ?? 0;
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
  const [counts] = await reader.rows(select(COUNTS, plainStatement(text)), signal);
  return counts;
}

/** Stores a new token under its hash. */
export const insertToken = async (
  engine: Engine,
  record: TokenRecord,
  hash: string,
): Promise<void> => await insertRevision(engine, record, hash);

/**
 * Revokes a token for good, even if only another server of the cluster has its row so far. False if there is none.
 * Throws if no server that answers has it, because one that does not answer may have it.
 */
export async function revokeToken(place: TokenTables, id: string, at: Date): Promise<boolean> {
  const condition = sql`WHERE id = ${bind('String', id)}`;
  const { rows, failure } = await fromAnsweringServers(place, 'tokens', async (reader, table) =>
    tokenRows(reader, condition, table),
  );
  if (rows.length === 0 && failure !== undefined) throw failure;
  const revoked = new Set(rows.filter((row) => row.revoked !== null).map(({ hash }) => hash));
  const valid = new Map(
    rows.filter(({ hash }) => !revoked.has(hash)).map((row) => [row.hash, row]),
  );
  for (const [hash, row] of valid) await insertRevision(place.engine, tokenOfRow(row), hash, at);
  return rows.length > 0;
}

/** Stores a new token, or its revoked version, which replaces it. */
async function insertRevision(
  engine: Engine,
  record: TokenRecord,
  hash: string,
  revokedAt?: Date,
): Promise<void> {
  const revision = raw(revokedAt === undefined ? '1' : '2');
  await engine.execute(
    statementOf(sql`INSERT INTO tokens (${TOKEN_COLUMNS}, revoked_at, revision)
SELECT ${valuesOf(record, hash)}, ${instant(revokedAt)}, ${revision}`),
    { changes: 'all' },
  );
}

async function tokenRows(
  reader: Reader,
  which: Sql,
  table = 'tokens',
): Promise<readonly TokenRow[]> {
  const statement = statementOf(sql`SELECT ${SHOWN} FROM ${raw(table)} FINAL ${which}`);
  return await reader.rows(select(TOKEN, statement));
}

const tokenOf = (row: TokenRow): TokenRecord => ({
  ...tokenOfRow(row),
  revokedAt: dateOf(row.revoked),
});
