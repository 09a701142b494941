import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Engine, EngineFailure } from '../../../src/engine/engine.ts';
import { plainStatement } from '../../../src/plan/sql.ts';
import { databaseTokens, linkExchanger } from '../../../src/store/database-tokens.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';

const ORDER = { role: 'affiliate', publisherIds: [345], programIds: [] } as const;

let service: TestService;

beforeAll(async () => {
  service = await startService({
    parts: (parts) => ({ ...parts, tokens: { ...parts.tokens, listTokens: listedLate } }),
  });
});

afterAll(async () => await service.close());

/** What a lagging replica lists: the links as if they were unused, and then their tokens, all revoked. */
async function listedLate() {
  const now = new Date();
  const tokens = await databaseTokens(service.database).listTokens();
  const links = tokens.map((token) => ({ ...token, linkExpiresAt: now }));
  return [...links, ...tokens.map((token) => ({ ...token, revokedAt: now }))];
}

/** A replica that by default has no rows yet, while the other replica has them all. */
async function laggingServer(rows: Engine['rows'] = async () => []): Promise<Engine> {
  const { engine } = service.database;
  for (const table of ['tokens', 'sign_in_links', 'sign_in_claims'])
    await engine.execute(
      plainStatement(
        `CREATE TABLE IF NOT EXISTS ${table}_local AS ${table} ENGINE = Merge(currentDatabase(), '^${table}$')`,
      ),
    );
  const behind: Engine = {
    opensFiles: engine.opensFiles,
    queries: engine.queries,
    read: (statement, signal) => engine.read(statement, signal),
    rows,
    execute: async (statement, options) => await engine.execute(statement, options),
    each: () => [behind, engine],
    close: async () => undefined,
  };
  return behind;
}

const topology = { cluster: { name: 'any', isReplicated: true } };

test('while a server does not answer, a token is revoked if another server has it', async () => {
  const { database } = service;
  const { record } = await service.operator.createToken(ORDER);
  const silent = await laggingServer(async () => {
    throw new EngineFailure('connect ECONNREFUSED');
  });
  const place = databaseTokens({ engine: silent, topology });
  expect(await place.revokeToken(record.id)).toBe(true);
  const [revoked] = (await databaseTokens(database).listTokens()).filter(
    ({ id }) => id === record.id,
  );
  expect(revoked?.revokedAt).toEqual(expect.any(Date));
  // The server that does not answer may have these tokens. The link is revoked all the same.
  await expect(place.revokeToken('unknown')).rejects.toThrow('ECONNREFUSED');
  const link = await service.operator.createLink(ORDER);
  await expect(place.revokeToken(link.record.id)).rejects.toThrow('ECONNREFUSED');
  expect(await linkExchanger(database)(link.code)).toBeUndefined();
});

test('revoking a link that was just used revokes its token, although one replica has neither yet', async () => {
  const { database } = service;
  const { code, record } = await service.operator.createLink(ORDER);
  await linkExchanger(database)(code);
  const late = databaseTokens({ engine: await laggingServer(), topology });
  expect(await late.revokeToken(record.id)).toBe(true);
  const ofLink = async () =>
    (await databaseTokens(database).listTokens()).filter(({ id }) => id === record.id);
  const [revoked, ...others] = await ofLink();
  expect([revoked?.revokedAt, others]).toEqual([expect.any(Date), []]);
  expect(revoked).toEqual({ ...record, linkExpiresAt: undefined, ...revoked });
  // Revoking it again keeps the time of the first revocation.
  expect(await late.revokeToken(record.id)).toBe(true);
  expect(await ofLink()).toEqual([revoked]);
  expect(await late.revokeToken('unknown')).toBe(false);
});

test('a revoked token manages no tokens while its used link is still listed', async () => {
  const manager = await service.token({ role: 'admin', mayManageTokens: true });
  const headers = [`Authorization: Bearer ${manager}`];
  const answer = await send(service.url, { target: '/api/admin/tokens', headers });
  expectProblem(answer, 'token_revoked');
});
