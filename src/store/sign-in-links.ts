/**
 * Stores sign-in links, each of which can be used only once.
 *
 * This holds even if several processes use a link at the same time, also on a cluster. A process that uses or
 * revokes a link first writes a claim on it, and then reads all claims from every server. A claim wins only if
 * there is no other. Of two processes, at least the one that writes later sees both claims, so a link never
 * gives two tokens. If both processes see both claims, it gives none.
 */

import * as v from 'valibot';
import type { TokenRecord } from '../auth/token-record.ts';
import type { EngineFailure } from '../engine/engine.ts';
import { INTEGER, type Select, select } from '../plan/select.ts';
import { bind, raw, type Sql, sql, statementOf } from '../plan/sql.ts';
import { fromAnsweringServers, fromEveryServer, type TokenTables } from './every-server.ts';
import {
  dateOf,
  instant,
  TOKEN_COLUMNS,
  TOKEN_ROW,
  TOKEN_ROW_COLUMNS,
  tokenOfRow,
  valuesOf,
} from './token-rows.ts';

/** A link that nobody has used yet, with the hash of its code. */
export interface StoredLink {
  readonly hash: string;
  readonly record: TokenRecord;
}

const LINK = v.object({ ...TOKEN_ROW.entries, link_expires: INTEGER });

const CLAIM = v.object({ claim: v.string() });

/** The claim that a revocation writes. */
const REVOKED = 'revoked';

/** No report and no lookup of tokens reads the tables of links, so a write to them leaves all caches valid. */
const NO_CHANGES = { changes: 'nothing' } as const;

/** `record` is the token that the link will give, with `linkExpiresAt`. */
export async function insertLink({ engine }: TokenTables, { hash, record }: StoredLink) {
  await engine.execute(
    statementOf(sql`INSERT INTO sign_in_links (${TOKEN_COLUMNS}, link_expires_at)
SELECT ${valuesOf(record, hash)}, ${instant(record.linkExpiresAt)}`),
    NO_CHANGES,
  );
}

/** The condition for links that can still be used: they are not expired, used or revoked. */
const IS_OPEN = 'link_expires_at > now() AND hash GLOBAL NOT IN (SELECT link FROM sign_in_claims)';

/** The links that can still be used, newest first. */
export async function usableLinks({ engine }: TokenTables): Promise<readonly TokenRecord[]> {
  const condition = raw(`${IS_OPEN} ORDER BY created_at DESC, id`);
  return (await engine.rows(linksIn(raw('sign_in_links'), condition))).map(linkOf);
}

const COUNTS = v.object({ all: INTEGER, own: INTEGER });

/** How many links can still be used: in all, and those of one creator. Without a creator, `own` is 0. */
export async function countUsableLinks(
  { engine }: TokenTables,
  creator: string | undefined,
): Promise<v.InferOutput<typeof COUNTS>> {
  const counts = sql`SELECT count() AS all, countIf(created_by = ${bind('String', creator ?? '')}) AS own
FROM sign_in_links WHERE ${raw(IS_OPEN)}`;
  const [row] = await engine.rows(select(COUNTS, statementOf(counts)));
  return row ?? { all: 0, own: 0 };
}

/** The link with this hash. Undefined if there is none, or if it was used or revoked. */
export async function findLink(place: TokenTables, hash: string): Promise<StoredLink | undefined> {
  const condition = sql`hash = ${bind('String', hash)}`;
  const [row] = await fromEveryServer(place, 'sign_in_links', async (reader, table) =>
    reader.rows(linksIn(raw(table), condition)),
  );
  if (row === undefined || (await claimsOn(place, hash)).length > 0) return undefined;
  return { hash, record: linkOf(row) };
}

/** Stores a claim, and returns whether it is the only one on the link. */
export async function claimLink(place: TokenTables, hash: string, claim: string): Promise<boolean> {
  await insertClaim(place, hash, claim);
  const claims = await claimsOn(place, hash);
  return claims.every((other) => other === claim) && claims.length > 0;
}

/** Whether the link was revoked, before or while it was used. */
export const isRevokedLink = async (place: TokenTables, hash: string): Promise<boolean> =>
  (await claimsOn(place, hash)).includes(REVOKED);

export interface LinkRevocation {
  readonly isFound: boolean;
  /** Why a server did not answer. If no link was found, that server may have it. */
  readonly failure: EngineFailure | undefined;
}

/** Revokes the link with this id, if a server that answers has it. */
export async function revokeLink(place: TokenTables, id: string): Promise<LinkRevocation> {
  const { rows, failure } = await fromAnsweringServers(
    place,
    'sign_in_links',
    async (reader, table) => reader.rows(linksIn(raw(table), sql`id = ${bind('String', id)}`)),
  );
  for (const hash of new Set(rows.map((link) => link.hash))) {
    await insertClaim(place, hash, REVOKED);
  }
  return { isFound: rows.length > 0, failure };
}

async function insertClaim({ engine }: TokenTables, hash: string, claim: string): Promise<void> {
  await engine.execute(
    statementOf(sql`INSERT INTO sign_in_claims (link, claim, at)
SELECT ${bind('String', hash)}, ${bind('String', claim)}, now()`),
    NO_CHANGES,
  );
}

async function claimsOn(place: TokenTables, hash: string): Promise<readonly string[]> {
  const rows = await fromEveryServer(place, 'sign_in_claims', async (reader, table) =>
    reader.rows(
      select(
        CLAIM,
        statementOf(sql`SELECT claim FROM ${raw(table)} WHERE link = ${bind('String', hash)}`),
      ),
    ),
  );
  return [...new Set(rows.map(({ claim }) => claim))];
}

const linksIn = (table: Sql, condition: Sql): Select<v.InferOutput<typeof LINK>> =>
  select(
    LINK,
    statementOf(
      sql`SELECT ${TOKEN_ROW_COLUMNS}, toUnixTimestamp(link_expires_at) AS link_expires FROM ${table} WHERE ${condition}`,
    ),
  );

const linkOf = (row: v.InferOutput<typeof LINK>): TokenRecord => ({
  ...tokenOfRow(row),
  linkExpiresAt: dateOf(row.link_expires),
});
