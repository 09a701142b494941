/** Creates, lists and revokes the access tokens and sign-in links of a database. */

import { randomUUID } from 'node:crypto';
import { hashOfToken, newAccessToken, newSignInCode, randomText } from '../auth/access-token.ts';
import type {
  CreatedLink,
  CreatedToken,
  ExchangeCode,
  NewToken,
  TokenStore,
} from '../auth/new-token.ts';
import type { TokenRecord } from '../auth/token-record.ts';
import { OneAtATime } from '../concurrency/one-at-a-time.ts';
import { Problem } from '../contract/problems/problems.ts';
import { LINK_MINUTES } from '../contract/tokens/lifetime.ts';
import { refuseLinkBeyondLimit, refuseTokenBeyondLimit } from './creation-limits.ts';
import type { TokenTables } from './every-server.ts';
import {
  claimLink,
  findLink,
  insertLink,
  isRevokedLink,
  revokeLink,
  usableLinks,
} from './sign-in-links.ts';
import { insertToken, isRevokedToken, listTokens, revokeToken } from './token-table.ts';

/** The table stores whole seconds. */
const inSeconds = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000);

export function databaseTokens(place: TokenTables): TokenStore {
  // Each creation checks the limit first, so concurrent ones could exceed it together.
  const creations = new OneAtATime();
  return {
    createToken: async (newToken) =>
      await creations.run(async () => await createWithin(place, newToken, createToken)),
    createLink: async (newToken) =>
      await creations.run(async () => await createWithin(place, newToken, createLink)),
    listTokens: async () => [...(await usableLinks(place)), ...(await listTokens(place.engine))],
    revokeToken: async (id) => await revoke(place, id),
  };
}

async function revoke(place: TokenTables, id: string): Promise<boolean> {
  // Revokes the link first: a process that stores its token afterwards sees this, and revokes the token itself.
  const link = await revokeLink(place, id);
  if (await revokeToken(place, id, new Date())) return true;
  if (!link.isFound && link.failure !== undefined) throw link.failure;
  return link.isFound;
}

/**
 * Creates a token or a link unless its creator is revoked, also while the creation waits for others or runs. So
 * after a revocation, the list of tokens has everything that the revoked token has created.
 */
async function createWithin<Created extends { readonly record: TokenRecord }>(
  place: TokenTables,
  newToken: NewToken,
  create: (place: TokenTables, newToken: NewToken) => Promise<Created>,
): Promise<Created> {
  const { createdBy } = newToken;
  if (createdBy === undefined) return await create(place, newToken);
  if (await isRevokedToken(place, createdBy)) throw new Problem('token_revoked');
  const created = await create(place, newToken);
  if (!(await isRevokedToken(place, createdBy))) return created;
  await revoke(place, created.record.id);
  throw new Problem('token_revoked');
}

async function createToken(place: TokenTables, newToken: NewToken): Promise<CreatedToken> {
  await refuseTokenBeyondLimit(place, newToken.createdBy);
  const token = newAccessToken();
  const record = newTokenRecord(newToken, new Date());
  await insertToken(place.engine, record, hashOfToken(token));
  return { token, record };
}

async function createLink(place: TokenTables, newToken: NewToken): Promise<CreatedLink> {
  await refuseLinkBeyondLimit(place, newToken.createdBy);
  const code = newSignInCode();
  const now = new Date();
  const record = { ...newTokenRecord(newToken, now), linkExpiresAt: endOfLink(newToken, now) };
  await insertLink(place, { hash: hashOfToken(code), record });
  return { code, record };
}

/** Creates the token of a link when the link is used. If it were created before, its text would have to be stored. */
export const linkExchanger =
  (place: TokenTables): ExchangeCode =>
  async (code) => {
    const link = await findLink(place, hashOfToken(code));
    if (link === undefined || hasEnded(link.record, new Date())) return undefined;
    if (!(await claimLink(place, link.hash, randomUUID()))) return undefined;
    const { linkExpiresAt: _, ...rights } = link.record;
    const token = newAccessToken();
    const record = { ...rights, createdAt: inSeconds(new Date()) };
    await insertToken(place.engine, record, hashOfToken(token));
    if (!(await isRevokedLink(place, link.hash))) return { token, record };
    await revokeToken(place, record.id, new Date());
    return undefined;
  };

function newTokenRecord(
  { mayManageTokens = false, ...newToken }: NewToken,
  now: Date,
): TokenRecord {
  return {
    id: randomText(10),
    role: newToken.role,
    publisherIds: newToken.publisherIds,
    programIds: newToken.programIds,
    locale: newToken.locale,
    name: newToken.name,
    mayManageTokens,
    createdBy: newToken.createdBy,
    createdAt: inSeconds(now),
    expiresAt: newToken.expiresAt && inSeconds(newToken.expiresAt),
    revokedAt: undefined,
  };
}

/** A link expires after `LINK_MINUTES`, but no later than its token. */
function endOfLink({ expiresAt }: NewToken, now: Date): Date {
  const end = now.getTime() + LINK_MINUTES * 60_000;
  return inSeconds(new Date(Math.min(end, expiresAt?.getTime() ?? end)));
}

const hasEnded = ({ linkExpiresAt, expiresAt }: TokenRecord, now: Date): boolean =>
  linkExpiresAt === undefined ||
  linkExpiresAt <= now ||
  (expiresAt !== undefined && expiresAt <= now);
