/**
 * Stores sign-in links, and lets each be used once, also by several processes and on a cluster.
 *
 * A process that uses or revokes a link first writes a claim on it, and then reads all claims from every
 * server. Only a claim without another one wins. Of two claims, at least the later one sees both, so a link
 * never gives two tokens; if both see both, it gives none.
 */

import * as v from 'valibot';
import type { TokenRecord } from '../auth/token-record.ts';
import type { Engine, Reader } from '../engine/engine.ts';
import { INTEGER, type Select, select } from '../plan/select.ts';
import { bind, raw, type Sql, sql, statementOf } from '../plan/sql.ts';
import { localTable, type Topology } from '../schema/topology.ts';
import {
  dateOf,
  instant,
  recordOf,
  SHOWN_COLUMNS,
  TOKEN_COLUMNS,
  TOKEN_ROW,
  valuesOf,
} from './token-rows.ts';

/** Where the links of a database are. */
export interface LinkPlace {
  readonly engine: Engine;
  readonly topology: Topology;
}

/** The link of a code that nobody has used yet, by the hash of the code. */
export interface StoredLink {
  readonly hash: string;
  readonly record: TokenRecord;
}

const LINK = v.object({ ...TOKEN_ROW.entries, link_expires: INTEGER });

const CLAIM = v.object({ link: v.string(), claim: v.string() });

/** The claim of a revocation. */
const REVOKED = 'revoked';

/** No report and no lookup of tokens reads the tables. */
const KEEPS_STATE = { keepsState: true };

/** `record` is the token that the link will give, with `linkExpiresAt`. */
export async function insertLink({ engine }: LinkPlace, { hash, record }: StoredLink) {
  await engine.execute(
    statementOf(sql`INSERT INTO sign_in_links (${TOKEN_COLUMNS}, link_expires_at)
SELECT ${valuesOf(record, hash)}, ${instant(record.linkExpiresAt)}`),
    KEEPS_STATE,
  );
}

/** The links that can still be used, newest first. */
export async function usableLinks({ engine }: LinkPlace): Promise<readonly TokenRecord[]> {
  const rows = await engine.rows(
    linksIn(raw('sign_in_links'), raw('link_expires_at > now() ORDER BY created_at DESC, id')),
  );
  const claimed = new Set((await claimsIn(engine, 'sign_in_claims', rows)).map(({ link }) => link));
  return rows.filter(({ hash }) => !claimed.has(hash)).map(linkOf);
}

/** The link with this hash. Undefined if there is none, or if it was used or revoked. */
export async function findLink(place: LinkPlace, hash: string): Promise<StoredLink | undefined> {
  const condition = sql`hash = ${bind('String', hash)}`;
  const [row] = await fromEveryServer(place, 'sign_in_links', async (reader, table) =>
    reader.rows(linksIn(raw(table), condition)),
  );
  if (row === undefined || (await claimsOn(place, hash)).length > 0) return undefined;
  return { hash, record: linkOf(row) };
}

/** Whether this claim, which is stored now, is the only one on the link. */
export async function claimLink(place: LinkPlace, hash: string, claim: string): Promise<boolean> {
  await insertClaim(place, hash, claim);
  const claims = await claimsOn(place, hash);
  return claims.every((other) => other === claim) && claims.length > 0;
}

/** Whether the link was revoked, also while it was used. */
export const isRevokedLink = async (place: LinkPlace, hash: string): Promise<boolean> =>
  (await claimsOn(place, hash)).includes(REVOKED);

/** Revokes the link with this id. Returns false if there is none. */
export async function revokeLink(place: LinkPlace, id: string): Promise<boolean> {
  const links = await fromEveryServer(place, 'sign_in_links', async (reader, table) =>
    reader.rows(linksIn(raw(table), sql`id = ${bind('String', id)}`)),
  );
  for (const hash of new Set(links.map((link) => link.hash))) {
    await insertClaim(place, hash, REVOKED);
  }
  return links.length > 0;
}

async function insertClaim({ engine }: LinkPlace, hash: string, claim: string): Promise<void> {
  await engine.execute(
    statementOf(sql`INSERT INTO sign_in_claims (link, claim, at)
SELECT ${bind('String', hash)}, ${bind('String', claim)}, now()`),
    KEEPS_STATE,
  );
}

async function claimsOn(place: LinkPlace, hash: string): Promise<readonly string[]> {
  const rows = await fromEveryServer(place, 'sign_in_claims', async (reader, table) =>
    claimsIn(reader, table, [{ hash }]),
  );
  return [...new Set(rows.map(({ claim }) => claim))];
}

/** A replica may not have the newest rows of the others. Throws if a server does not answer. */
async function fromEveryServer<Row>(
  { engine, topology }: LinkPlace,
  table: string,
  read: (reader: Reader, table: string) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const servers = topology.cluster === undefined ? [engine] : engine.each();
  const local = localTable(topology, table);
  return (await Promise.all(servers.map(async (server) => await read(server, local)))).flat();
}

const linksIn = (table: Sql, condition: Sql): Select<v.InferOutput<typeof LINK>> =>
  select(
    LINK,
    statementOf(
      sql`SELECT ${SHOWN_COLUMNS}, toUnixTimestamp(link_expires_at) AS link_expires FROM ${table} WHERE ${condition}`,
    ),
  );

async function claimsIn(
  reader: Reader,
  table: string,
  links: readonly { readonly hash: string }[],
) {
  const hashes = bind(
    'Array(String)',
    links.map(({ hash }) => hash),
  );
  const statement = sql`SELECT link, claim FROM ${raw(table)} WHERE link IN ${hashes}`;
  return await reader.rows(select(CLAIM, statementOf(statement)));
}

const linkOf = (row: v.InferOutput<typeof LINK>): TokenRecord => ({
  ...recordOf(row),
  linkExpiresAt: dateOf(row.link_expires),
});
