import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES, type Role } from '../../../src/contract/record/records.ts';
import { MISLEADING_HEADERS, UNKNOWN_PARAMETERS } from '../../support/attacks/attacks.ts';
import {
  BAD_AUTHORIZATIONS,
  MISSING,
  type Refusal,
  type TokensOfRole,
} from '../../support/attacks/bad-authorizations.ts';
import { GUARDED, targetOf } from '../../support/attacks/guarded-operations.ts';
import { FOREIGN, OWN, rowsWithSecrets, SECRET } from '../../support/attacks/secrets.ts';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { type RawAnswer, send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { everyNth } from '../../support/run/sampled.ts';
import { IS_FULL } from '../../support/run/test-extent.ts';

const QUESTION = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';

const STORES = TESTED_STORES.filter((store) => store !== 'server');

describe.each(STORES)('on the store %s', (store) => {
  let service: TestService;
  const tokens = {} as Record<Role, TokensOfRole>;

  async function tokensOf(role: Role): Promise<TokensOfRole> {
    const own = { publisherIds: OWN, programIds: [] };
    const revoked = await service.operator.createToken({ role, ...own });
    expect(await service.operator.revokeToken(revoked.record.id)).toBe(true);
    return {
      good: await service.token({ role, ...own, mayManageTokens: role === 'admin' }),
      revoked: revoked.token,
      expired: await service.token({ role, ...own, expiresAt: new Date(Date.now() - 1000) }),
      ofOtherRole: await service.token({ role: role === 'admin' ? 'affiliate' : 'admin', ...own }),
    };
  }

  beforeAll(async () => {
    service = await startService({ store });
    await insertRows(service.database, rowsWithSecrets());
    for (const role of ROLES) tokens[role] = await tokensOf(role);
  });

  afterAll(async () => await service.close());

  function expectRefusal(answer: RawAnswer, { status, code, error }: Refusal): void {
    expect(answer.status).toBe(status);
    if (answer.body !== '') expect(JSON.parse(answer.body)).toMatchObject({ status, code });
    expect(answer.text).not.toMatch(SECRET);
    const parts = error ? `, error="${error}", error_description="[^"\\\\]+"` : '';
    const challenge = new RegExp(`^Bearer realm="transactions"${parts}$`);
    expect(answer.headers.get('www-authenticate')).toMatch(challenge);
  }

  const asked = GUARDED.flatMap((operation) =>
    operation.roles.map((role) => [operation.path, role, operation] as const),
  );

  /** In `npm test`, every operation refuses these in both methods, and a part of the others. */
  const ALWAYS = /^(no header|an unknown token|a revoked token|an expired token|a token of the)/;
  const METHODS = ['GET', 'HEAD'];
  const SCHEMES = ['Bearer', 'bearer', 'BEARER', 'Bearer  '];

  describe.each(asked)('%s for the %s', (path, role, operation) => {
    const target = targetOf(operation);
    const place = asked.findIndex((one) => one[0] === path && one[1] === role);
    const refused = BAD_AUTHORIZATIONS.filter(
      ({ refusal }) => refusal.status === 401 || operation.roles.length === 1,
    );
    const others = refused.filter(({ name }) => !ALWAYS.test(name));

    describe.each(METHODS)('to %s', (method) => {
      const some = everyNth(others, 6, place + 3 * METHODS.indexOf(method));
      const tested = IS_FULL
        ? refused
        : [...refused.filter(({ name }) => ALWAYS.test(name)), ...some];

      test.each(everyNth(SCHEMES, 4, place + METHODS.indexOf(method)))(
        'accepts a token after "%s"',
        async (scheme) => {
          const headers = [`Authorization: ${scheme} ${tokens[role].good}`];
          expect((await send(service.url, { method, target, headers })).status).toBe(200);
        },
      );

      test.each(tested)('refuses $name', async ({ headers, refusal }) => {
        const sent = headers(tokens[role]);
        const answer = await send(service.url, { method, target, headers: sent });
        expectRefusal(answer, refusal);
        expect(answer.body === '').toBe(method === 'HEAD');
      });
    });

    const parameters = ['access_token', 'token', 'authorization', 'bearer_token', 'jwt', 'api_key'];
    test.each(everyNth(parameters, 3, place))(
      'accepts no token in the query parameter %s',
      async (name) => {
        const withToken = `${target}&${name}=${tokens[role].good}`;
        expectRefusal(await send(service.url, { target: withToken }), MISSING);
      },
    );

    test('accepts no token in a body', async () => {
      const headers = ['Content-Type: application/x-www-form-urlencoded'];
      const body = `access_token=${tokens[role].good}`;
      expect((await send(service.url, { target, headers, body })).status).toBe(413);
      const posted = await send(service.url, { method: 'POST', target, headers, body });
      const methods = service.server.methodsOf(target.split('?', 1)[0] ?? '');
      expect(posted.status).toBe(methods.includes('POST') ? 413 : 405);
    });
  });

  describe.each(ROLES)('the access that the service reports to the %s', (role) => {
    const target = '/api/me';

    test('cannot be changed by headers and parameters, and reveals nothing of others', async () => {
      const authorization = `Authorization: Bearer ${tokens[role].good}`;
      const told = await send(service.url, { target, headers: [authorization] });
      expect(JSON.parse(told.body)).toMatchObject({
        role: role,
        publisher_ids: role === 'admin' ? 'all' : OWN,
      });
      for (const misleading of MISLEADING_HEADERS) {
        if (misleading.startsWith('Host:')) continue;
        const headers = [authorization, misleading];
        const answer = await send(service.url, { target, headers });
        expect([misleading, answer.body]).toEqual([misleading, told.body]);
      }
      for (const parameter of UNKNOWN_PARAMETERS) {
        const headers = [authorization];
        const answer = await send(service.url, { target: `${target}?${parameter}`, headers });
        expect([parameter, answer.status]).toEqual([parameter, 400]);
        expect(JSON.parse(answer.body)).toMatchObject({ code: 'invalid_parameters' });
      }
    });
  });

  const places = [
    ['/api/affiliate/transactions', QUESTION],
    ['/api/affiliate/transactions/summary', QUESTION],
    ['/api/affiliate/performance', QUESTION.replace('type=sales&', '')],
  ] as const;
  test.each(places)(
    'a query for a foreign website gets the same bytes from %s, whether it exists or not',
    async (place, question) => {
      const path = `${place}?${question}`;
      const answers = [FOREIGN, 555_000_000_001, 0, Number.MAX_SAFE_INTEGER].map(
        async (website) => {
          const headers = { 'x-request-id': 'same' };
          const token = tokens.affiliate.good;
          const response = await service.get(`${path}&publisher_id=${website}`, token, headers);
          const shown = [...response.headers].filter(([name]) => name !== 'date');
          return JSON.stringify([response.status, shown, await response.text()]);
        },
      );
      const [first, ...others] = await Promise.all(answers);
      expect(first).toContain('publisher_forbidden');
      for (const other of others) expect(other).toBe(first);
    },
  );
});
