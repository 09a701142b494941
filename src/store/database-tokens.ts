/** Creates, lists and revokes the access tokens of a database. */

import { hashOfToken, newAccessToken, randomText } from '../auth/access-token.ts';
import type { TokenStore } from '../auth/new-token.ts';
import type { TokenRecord } from '../auth/token-record.ts';
import type { Engine } from '../engine/engine.ts';
import { insertToken, listTokens, revokeToken } from './token-table.ts';

/** The table stores whole seconds. */
const inSeconds = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000);

export const databaseTokens = (engine: Engine): TokenStore => ({
  async createToken({ mayManageTokens = false, ...newToken }) {
    const token = newAccessToken();
    const record: TokenRecord = {
      id: randomText(10),
      role: newToken.role,
      publisherIds: newToken.publisherIds,
      programIds: newToken.programIds,
      locale: newToken.locale,
      name: newToken.name,
      mayManageTokens,
      createdAt: inSeconds(new Date()),
      expiresAt: newToken.expiresAt && inSeconds(newToken.expiresAt),
      revokedAt: undefined,
    };
    await insertToken(engine, record, hashOfToken(token));
    return { token, record };
  },
  listTokens: async () => await listTokens(engine),
  revokeToken: async (id) => await revokeToken(engine, id, new Date()),
});
