import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  hashOfToken,
  isAccessToken,
  newAccessToken,
  newSignInCode,
} from '../../../src/auth/access-token.ts';
import type { NewToken } from '../../../src/auth/new-token.ts';
import type { ManagedToken, NewManagedToken } from '../../../src/contract/tokens/managed-token.ts';
import { codeIn } from '../../../src/contract/tokens/sign-in-address.ts';
import type { NewSignInLink } from '../../../src/contract/tokens/sign-in-link.ts';
import { plainStatement } from '../../../src/plan/sql.ts';
import { linkExchanger } from '../../../src/store/database-tokens.ts';
import { claimLink, findLink } from '../../../src/store/sign-in-links.ts';
import { auditLines, lineOf } from '../../support/requests/audit-lines.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const PATH = '/api/sign-in';
const ORDER = { role: 'affiliate', publisherIds: [345], programIds: [12], name: 'Agency' } as const;

const PUBLIC_URL = 'https://reports.example.com';

/** The full run also tests a cluster, where one replica may not have yet what another one has stored. */
describe.each(fullOrShort(['embedded', 'cluster'] as const, ['embedded'] as const))(
  'on the store %s',
  (store) => {
    let service: TestService;
    let manager: string;

    beforeAll(async () => {
      service = await startService({ store, settings: { publicUrl: PUBLIC_URL } });
      manager = await service.token({ role: 'admin', mayManageTokens: true, name: 'Manager' });
    });

    afterAll(async () => await service.close());

    const linkFor = async (order: Partial<NewToken> = {}) =>
      await service.operator.createLink({ ...ORDER, ...order });

    const exchange = async (code: string, ...headers: readonly string[]) =>
      await send(service.url, {
        method: 'POST',
        target: PATH,
        headers: [`Authorization: Bearer ${code}`, ...headers],
      });

    const tokenOf = async (code: string): Promise<string> => {
      const answer = await exchange(code);
      expect([answer.status, answer.body]).toEqual([200, expect.any(String)]);
      return JSON.parse(answer.body).token;
    };

    const told = async (token: string): Promise<Record<string, unknown>> =>
      JSON.parse(await (await service.get('/api/me', token)).text());

    const managed = async (method: string, target: string) =>
      await send(service.url, { method, target, headers: [`Authorization: Bearer ${manager}`] });

    const listed = async (): Promise<readonly ManagedToken[]> =>
      JSON.parse((await managed('GET', '/api/admin/tokens')).body);

    test('a link gives one token, with exactly the rights that were asked for', async () => {
      const { code, record } = await linkFor({ locale: 'fr' });
      const token = await tokenOf(code);
      expect(isAccessToken(token)).toBe(true);
      expect(await told(token)).toMatchObject({
        name: 'Agency',
        role: 'affiliate',
        publisher_ids: [345],
        program_ids: [12],
        locale: 'fr',
        may_manage_tokens: false,
        expires_at: null,
      });
      expectProblem(await exchange(code), 'sign_in_link_invalid');
      const tokens = (await service.operator.listTokens()).filter(({ id }) => id === record.id);
      expect(tokens).toHaveLength(1);
      expect(tokens[0]?.linkExpiresAt).toBeUndefined();
    });

    test('a link can give a token that manages tokens and expires', async () => {
      const expiresAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000);
      const order = { role: 'admin', publisherIds: [], mayManageTokens: true, expiresAt } as const;
      const answer = await exchange((await linkFor(order)).code);
      expect(JSON.parse(answer.body).expires_at).toBe(expiresAt.toISOString());
      expect(await told(JSON.parse(answer.body).token)).toMatchObject({
        role: 'admin',
        program_ids: [12],
        may_manage_tokens: true,
        expires_at: expiresAt.toISOString(),
      });
    });

    test('of many who open a link at once, at most one gets a token', async () => {
      for (let round = 0; round < fullOrShort(10, 3); round += 1) {
        const { code, record } = await linkFor();
        // A second process has its own exchange on the same tables.
        const elsewhere = linkExchanger(service.database);
        const answers = await Promise.all(
          Array.from({ length: 10 }, async (_, at) =>
            at % 2 === 0 ? (await exchange(code)).status : ((await elsewhere(code)) && 200) || 401,
          ),
        );
        expect(answers.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
        expect(answers.filter((status) => status === 401).length).toBeGreaterThanOrEqual(9);
        const tokens = (await service.operator.listTokens()).filter(({ id }) => id === record.id);
        expect(tokens.length).toBeLessThanOrEqual(1);
      }
    });

    test('a link is claimed at most once, even if the process that claimed it dies', async () => {
      const { code } = await linkFor();
      const hash = hashOfToken(code);
      expect(await claimLink(service.database, hash, 'first')).toBe(true);
      expect(await claimLink(service.database, hash, 'second')).toBe(false);
      expect(await claimLink(service.database, hash, 'first')).toBe(false);
      expect(await findLink(service.database, hash)).toBeUndefined();
      // The claim has used the link up, although no token was created for it.
      expectProblem(await exchange(code), 'sign_in_link_invalid');
    });

    test('a link is listed until it is used; then its token is listed under the same id', async () => {
      const { code, record } = await linkFor({ name: 'Listed' });
      const find = async () => (await listed()).filter(({ id }) => id === record.id);
      expect(await find()).toMatchObject([
        { name: 'Listed', link_expires_at: record.linkExpiresAt?.toISOString() },
      ]);
      await tokenOf(code);
      expect(await find()).toMatchObject([{ name: 'Listed', link_expires_at: null }]);
    });

    test('a link that is revoked gives no token, and one that was used loses its token', async () => {
      const unused = await linkFor();
      expect(await service.operator.revokeToken(unused.record.id)).toBe(true);
      expectProblem(await exchange(unused.code), 'sign_in_link_invalid');
      const used = await linkFor();
      const token = await tokenOf(used.code);
      expect((await managed('DELETE', `/api/admin/tokens/${used.record.id}`)).status).toBe(200);
      await expect.poll(async () => (await service.get('/api/me', token)).status).toBe(401);
      const ids = (await listed()).map(({ id }) => id);
      expect(ids).not.toContain(unused.record.id);
      expect(ids).not.toContain(used.record.id);
    });

    test('a link expires after 15 minutes, or earlier with its token', async () => {
      const { record } = await linkFor();
      const lasts = (record.linkExpiresAt?.getTime() ?? 0) - record.createdAt.getTime();
      expect(lasts).toBe(15 * 60_000);
      const expired = await linkFor({ expiresAt: new Date(Date.now() - 1000) });
      expectProblem(await exchange(expired.code), 'sign_in_link_invalid');
      expect((await listed()).map(({ id }) => id)).not.toContain(expired.record.id);
    });

    test.each([
      ['an unknown code', () => newSignInCode()],
      ['a code with a typing error', () => `${newSignInCode().slice(0, -1)}!`],
      ['a code without its end', () => newSignInCode().slice(0, -3)],
      ['no code', () => ''],
      ['text of SQL', () => "' OR '1'='1"],
      ['an access token', () => manager],
    ])('%s gets the same refusal as a used link', async (_, code) => {
      const { code: used } = await linkFor();
      await tokenOf(used);
      const sent = 'X-Request-Id: same';
      const [one, other] = [await exchange(code(), sent), await exchange(used, sent)];
      expectProblem(one, 'sign_in_link_invalid');
      expect(one.body).toBe(other.body);
      expect(one.headers.get('www-authenticate')).toBe(other.headers.get('www-authenticate'));
    });

    test('a code is taken from one header Authorization, and from nowhere else', async () => {
      const { code } = await linkFor();
      const authorization = `Authorization: Bearer ${code}`;
      for (const [target, headers, refusal] of [
        [PATH, [], 'sign_in_link_invalid'],
        [PATH, [authorization, authorization], 'sign_in_link_invalid'],
        [PATH, [`Authorization: Basic ${code}`], 'sign_in_link_invalid'],
        [PATH, [`Cookie: code=${code}`, `X-Request-Id: ${code}`], 'sign_in_link_invalid'],
        [`${PATH}?code=${code}`, [], 'invalid_parameters'],
        [`${PATH}?${code}=1`, [`X-Request-Id: ${code}`], 'invalid_parameters'],
        [`${PATH}?x=1`, [authorization], 'invalid_parameters'],
      ] as const) {
        const answer = await send(service.url, { method: 'POST', target, headers });
        expectProblem(answer, refusal);
        expect(answer.text + service.log.join('')).not.toContain(code.slice(4, 30));
      }
      const headers = [authorization];
      expectProblem(
        await send(service.url, { method: 'POST', target: PATH, headers, body: `code=${code}` }),
        'content_too_large',
      );
      for (const method of ['PUT', 'DELETE', 'OPTIONS'])
        expect((await send(service.url, { method, target: PATH, headers })).status).toBe(405);
      // GET only returns how users can sign in.
      expect((await send(service.url, { target: PATH, headers })).body).toBe('{"provider":null}');
      // A code is no token.
      expect((await service.get('/api/me', code)).status).toBe(401);
      expect(isAccessToken(await tokenOf(code))).toBe(true);
    });

    test('the log and the audit log tell who created and used a link, without its code', async () => {
      const answer = await managed('POST', '/api/admin/sign-in-links?role=admin&name=Watched');
      expect(answer.status).toBe(201);
      const { url, id, link_expires_at: end }: NewSignInLink = JSON.parse(answer.body);
      expect(new URL(url).origin).toBe(PUBLIC_URL);
      const code = codeIn(new URL(url).hash) ?? '';
      const token = await tokenOf(code);
      const refused = await exchange(code);
      const lines = (await auditLines(service)).filter(({ details }) => details.token_id === id);
      expect(lines).toMatchObject([
        { event: 'link_created', name: 'Manager', details: { user: null, link_expires_at: end } },
        { event: 'link_used', principal: id, details: { token_name: 'Watched' } },
      ]);
      expect(await lineOf(service, refused.headers.get('x-request-id') ?? '')).toMatchObject({
        event: 'access_refused',
        details: { route: PATH, status: 401, code: 'sign_in_link_invalid' },
      });
      const all = service.log.join('') + JSON.stringify(await auditLines(service));
      for (const secret of [code.slice(4, 30), hashOfToken(code), token.slice(4, 30)])
        expect(all).not.toContain(secret);
    });

    test('at most 1000 unused links can be created, but more than that can still be listed', async () => {
      const { engine } = service.database;
      // Creates more links than the limit, which can happen with several processes. The statement computes the
      // hashes, so that it stays short.
      const hash = "leftPad(toString(number), 64, 'f')";
      await engine.execute(
        plainStatement(`INSERT INTO sign_in_links (id, hash, role, publisher_ids, created_at, link_expires_at)
SELECT concat('many-', toString(number)), ${hash}, 'affiliate', [345], now(), now() + 900 FROM numbers(2500)`),
      );
      const many = async () => (await listed()).filter(({ id }) => id.startsWith('many-')).length;
      expect(await many()).toBe(2500);
      await expect(linkFor()).rejects.toThrow('At most 1000 sign-in links');
      expectProblem(await managed('POST', '/api/admin/sign-in-links?role=admin'), 'too_many_links');
      await engine.execute(
        plainStatement(`INSERT INTO sign_in_claims (link, claim, at)
SELECT ${hash}, 'one', now() FROM numbers(2500)`),
      );
      expect(await many()).toBe(0);
      expect(await tokenOf((await linkFor()).code)).toMatch(/^trx_/);
    });

    test('the token of a link has no more rights than a token that the same request would create', async () => {
      const query = 'role=affiliate&publisher_id=345&expires=30d&locale=fr';
      const link: NewSignInLink = JSON.parse(
        (await managed('POST', `/api/admin/sign-in-links?${query}`)).body,
      );
      const token: NewManagedToken = JSON.parse(
        (await managed('POST', `/api/admin/tokens?${query}`)).body,
      );
      const given = await told(await tokenOf(codeIn(new URL(link.url).hash) ?? ''));
      const asked = await told(token.token);
      for (const name of ['role', 'publisher_ids', 'program_ids', 'locale', 'may_manage_tokens'])
        expect([name, given[name]]).toEqual([name, asked[name]]);
      expect(Date.parse(String(given.expires_at))).toBeLessThanOrEqual(
        Date.parse(String(asked.expires_at)),
      );
    });
  },
);

test('refused links have a limit of their own, so that unknown tokens do not block valid links', async () => {
  const service = await startService({ settings: { invalidTokensPerMinute: 3 } });
  onTestFinished(async () => await service.close());
  const linkFor = async () => (await service.operator.createLink(ORDER)).code;
  const ask = async (bearer: string) =>
    await send(service.url, {
      method: 'POST',
      target: PATH,
      headers: [`Authorization: Bearer ${bearer}`],
    });
  const statusOfUnknown = async () => (await service.get('/api/me', newAccessToken())).status;
  for (let sent = 0; sent < 3; sent += 1) expect(await statusOfUnknown()).toBe(401);
  expect(await statusOfUnknown()).toBe(429);
  // A valid code does not count towards the limit of invalid tokens.
  const code = await linkFor();
  expect((await ask(code)).status).toBe(200);
  for (const bearer of [code, newSignInCode(), 'short'])
    expectProblem(await ask(bearer), 'sign_in_link_invalid');
  const refused = await ask(await linkFor());
  expectProblem(refused, 'too_many_invalid_tokens');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});
