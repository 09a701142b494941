/** Creates, lists and revokes the access tokens and sign-in links of a database. */

import { randomUUID } from 'node:crypto';
import { hashOfToken, newAccessToken, newSignInCode, randomText } from '../auth/access-token.ts';
import type { ExchangeCode, NewToken, TokenStore } from '../auth/new-token.ts';
import type { TokenRecord } from '../auth/token-record.ts';
import { Problem } from '../contract/problems/problems.ts';
import { LINK_MINUTES, MAX_LINKS } from '../contract/tokens/lifetime.ts';
import type { TokenTables } from './every-server.ts';
import {
  claimLink,
  countOpenLinks,
  findLink,
  insertLink,
  isRevokedLink,
  openLinks,
  revokeLink,
} from './sign-in-links.ts';
import { insertToken, listTokens, revokeToken } from './token-table.ts';

/** The table stores whole seconds. */
const inSeconds = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000);

export const databaseTokens = (place: TokenTables): TokenStore => ({
  async createToken(newToken) {
    const token = newAccessToken();
    const record = recordOf(newToken, new Date());
    await insertToken(place.engine, record, hashOfToken(token));
    return { token, record };
  },
  async createLink(newToken) {
    if ((await countOpenLinks(place)) >= MAX_LINKS) throw new Problem('too_many_links');
    const code = newSignInCode();
    const now = new Date();
    const record = { ...recordOf(newToken, now), linkExpiresAt: endOfLink(newToken, now) };
    await insertLink(place, { hash: hashOfToken(code), record });
    return { code, record };
  },
  listTokens: async () => [...(await openLinks(place)), ...(await listTokens(place.engine))],
  async revokeToken(id) {
    // The link first: a process that is using it sees that when its token is stored.
    const isLink = await revokeLink(place, id);
    const isToken = await revokeToken(place, id, new Date());
    return isLink || isToken;
  },
});

/** The token is created when its link is used, because only its hash is stored. */
export const linkExchange =
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

function recordOf({ mayManageTokens = false, ...newToken }: NewToken, now: Date): TokenRecord {
  return {
    id: randomText(10),
    role: newToken.role,
    publisherIds: newToken.publisherIds,
    programIds: newToken.programIds,
    locale: newToken.locale,
    name: newToken.name,
    mayManageTokens,
    createdAt: inSeconds(now),
    expiresAt: newToken.expiresAt && inSeconds(newToken.expiresAt),
    revokedAt: undefined,
  };
}

/** A link is not good for longer than its token. */
function endOfLink({ expiresAt }: NewToken, now: Date): Date {
  const end = now.getTime() + LINK_MINUTES * 60_000;
  return inSeconds(new Date(Math.min(end, expiresAt?.getTime() ?? end)));
}

const hasEnded = ({ linkExpiresAt, expiresAt }: TokenRecord, now: Date): boolean =>
  linkExpiresAt === undefined ||
  linkExpiresAt <= now ||
  (expiresAt !== undefined && expiresAt <= now);
