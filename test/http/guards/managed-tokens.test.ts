import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAccessToken } from '../../../src/auth/access-token.ts';
import { Problem } from '../../../src/contract/problems/problems.ts';
import type { ManagedToken, NewManagedToken } from '../../../src/contract/tokens/managed-token.ts';
import { TOKEN_PARAMETERS } from '../../../src/contract/tokens/token-parameters.ts';
import { FEW_INJECTIONS, INJECTIONS } from '../../support/attacks/attacks.ts';
import { BAD_AUTHORIZATIONS, type TokensOfRole } from '../../support/attacks/bad-authorizations.ts';
import { targetOf, WRITING } from '../../support/attacks/guarded-operations.ts';
import { auditLines, lineOf } from '../../support/requests/audit-lines.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { exchange, type RawAnswer, readAnswer, send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { everyNth } from '../../support/run/sampled.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const DAY = 86_400_000;

const PATH = '/api/admin/tokens';
const WEBSITE = 'role=affiliate&publisher_id=345';
const PAGE = 'https://dashboard.example';
const SOON = new Date(Date.now() + 3_600_000);

/** Tokens that manage tokens: without limits, limited to two programs, and expiring soon. */
const managers = { all: '', ofPrograms: '', untilSoon: '' };
const admin = { role: 'admin', mayManageTokens: true } as const;
let service: TestService;
let tokens: TokensOfRole;

beforeAll(async () => {
  service = await startService({
    settings: { corsOrigins: [PAGE] },
    verifyJwt: async (jwt) => {
      if (!jwt.startsWith('admin.')) throw new Problem('token_invalid');
      return { id: 'someone', role: 'admin', publisherIds: 'all', programIds: 'all' };
    },
  });
  managers.all = await service.token({ ...admin, name: 'Manager' });
  managers.ofPrograms = await service.token({ ...admin, programIds: [10, 11] });
  managers.untilSoon = await service.token({ ...admin, expiresAt: SOON });
  const revoked = await service.operator.createToken({
    ...admin,
    publisherIds: [],
    programIds: [],
  });
  await service.operator.revokeToken(revoked.record.id);
  tokens = {
    good: managers.all,
    revoked: revoked.token,
    expired: await service.token({ ...admin, expiresAt: new Date(Date.now() - 1000) }),
    ofOtherRole: await service.token({ role: 'affiliate', publisherIds: [345] }),
  };
});

afterAll(async () => await service.close());

const bearer = (token: string) => `Authorization: Bearer ${token}`;

const post = async (query: string, token = managers.all, ...headers: readonly string[]) =>
  await send(service.url, {
    method: 'POST',
    target: `${PATH}?${query}`,
    headers: [bearer(token), ...headers],
  });

const revoke = async (id: string, token = managers.all) =>
  await send(service.url, { method: 'DELETE', target: `${PATH}/${id}`, headers: [bearer(token)] });

async function created(query: string, token = managers.all): Promise<NewManagedToken> {
  const answer = await post(query, token);
  expect([answer.status, answer.body]).toEqual([201, expect.any(String)]);
  return JSON.parse(answer.body);
}

const idOf = async (token: string): Promise<string> =>
  (await listed(token)).find(({ is_current }) => is_current)?.id ?? '';

async function listed(token = managers.all): Promise<readonly ManagedToken[]> {
  const answer = await send(service.url, { target: PATH, headers: [bearer(token)] });
  expect(answer.status).toBe(200);
  return JSON.parse(answer.body);
}

const meStatus = async (token: string) => (await service.get('/api/me', token)).status;

test('a token is created, read once, used, listed without its text, and revoked', async () => {
  const query =
    'role=affiliate&publisher_id=345,346&program_id=12&locale=fr&name=Agency&expires=30d';
  const { token, ...described } = await created(query);
  expect(isAccessToken(token)).toBe(true);
  expect(described).toMatchObject({
    name: 'Agency',
    role: 'affiliate',
    publisher_ids: [345, 346],
    program_ids: [12],
    locale: 'fr',
    may_manage_tokens: false,
    is_current: false,
  });
  const lifetime = Date.parse(described.expires_at ?? '') - Date.parse(described.created_at);
  // A new second may begin between the two times, which are in whole seconds.
  expect([30 * DAY, 30 * DAY - 1000]).toContain(lifetime);
  expect(await (await service.get('/api/me', token)).json()).toMatchObject({
    name: 'Agency',
    publisher_ids: [345, 346],
    program_ids: [12],
    may_manage_tokens: false,
  });
  const answer = await send(service.url, { target: PATH, headers: [bearer(managers.all)] });
  expect(JSON.parse(answer.body)).toContainEqual(described);
  expect(answer.text).not.toContain('trx_');
  const revoked = await revoke(described.id);
  expect([revoked.status, JSON.parse(revoked.body)]).toEqual([
    200,
    { id: described.id, revoked: true },
  ]);
  await expect.poll(async () => await meStatus(token)).toBe(401);
  expect((await listed()).map(({ id }) => id)).not.toContain(described.id);
  expect(service.log.join('')).not.toContain(token.slice(4));
});

test('the audit log says which token created and revoked which', async () => {
  const manager = await idOf(managers.all);
  const { id } = await created(`${WEBSITE}&name=Watched`);
  await revoke(id);
  const lines = (await auditLines(service)).filter(({ details }) => details.token_id === id);
  expect(lines.map(({ event }) => event)).toEqual(['token_created', 'token_revoked']);
  for (const line of lines) expect(line).toMatchObject({ principal: manager, name: 'Manager' });
  expect(lines[0]?.details).toMatchObject({
    user: null,
    token_name: 'Watched',
    publisher_ids: [345],
    may_manage_tokens: false,
  });
});

describe('a token that is limited to programs', () => {
  test.each([
    'role=admin',
    'role=admin&program_id=12',
    'role=admin&program_id=10,12',
    WEBSITE,
    `${WEBSITE}&program_id=10,11,12`,
  ])('creates no token with more rights: %s', async (query) => {
    expectProblem(await post(query, managers.ofPrograms), 'token_too_wide');
  });

  test('creates others within its programs, and sees and revokes only these', async () => {
    const own = await created('role=admin&program_id=11', managers.ofPrograms);
    const wider = await created('role=admin&program_id=11,12');
    const unlimited = await created(WEBSITE);
    const ids = (await listed(managers.ofPrograms)).map(({ id }) => id);
    expect(ids).toContain(own.id);
    for (const { id } of [wider, unlimited]) {
      expect(ids).not.toContain(id);
      expectProblem(await revoke(id, managers.ofPrograms), 'token_not_found');
      expect(await meStatus(unlimited.token)).toBe(200);
    }
    expect((await revoke(own.id, managers.ofPrograms)).status).toBe(200);
  });
});

describe('a token that expires', () => {
  test.each(['never', '2h', '90d'])(
    'creates none that is valid for longer: %s',
    async (expires) => {
      expectProblem(
        await post(`${WEBSITE}&expires=${expires}`, managers.untilSoon),
        'token_too_wide',
      );
    },
  );

  test('creates tokens that expire with it by default', async () => {
    const { expires_at: end } = await created(WEBSITE, managers.untilSoon);
    expect(Date.parse(end ?? '')).toBe(Math.floor(SOON.getTime() / 1000) * 1000);
    expect((await created(`${WEBSITE}&expires=30m`, managers.untilSoon)).expires_at).not.toBe(end);
  });
});

test('a token that expires after the year 2106 is refused', async () => {
  expectProblem(await post(`${WEBSITE}&expires=99999d`), 'invalid_parameters');
});

test.each(['may_manage_tokens', 'mayManageTokens', 'id', 'hash', 'token', 'created_at'])(
  'no request can set %s',
  async (name) => {
    const answer = await post(`role=admin&${name}=true`);
    expectProblem(answer, 'invalid_parameters');
  },
);

test.each([
  ['role=affiliate', 'publisher_id', 'missing'],
  ['role=admin&publisher_id=345', 'publisher_id', 'invalid'],
  ['publisher_id=345', 'role', 'missing'],
  [`${WEBSITE}&expires=soon`, 'expires', 'invalid'],
  [`${WEBSITE}&name=${'x'.repeat(201)}`, 'name', 'invalid'],
])('the refusal of the query %s names the wrong parameter', async (query, parameter, code) => {
  const answer = await post(query);
  expectProblem(answer, 'invalid_parameters');
  expect(JSON.parse(answer.body).errors).toMatchObject([{ parameter, code }]);
});

test('a token that manages tokens can revoke itself, but no other such token', async () => {
  const another = await service.token({ ...admin });
  const id = await idOf(another);
  const refused = await revoke(id);
  expectProblem(refused, 'token_management_forbidden');
  expect(refused.body).toContain('Only the operator can revoke');
  expect((await revoke(id, another)).status).toBe(200);
  await expect.poll(async () => await meStatus(another)).toBe(401);
});

test('a revoked token manages nothing from the moment of its revocation', async () => {
  const order = { ...admin, publisherIds: [], programIds: [] };
  const { token, record } = await service.operator.createToken(order);
  await listed(token);
  await service.operator.revokeToken(record.id);
  // For other requests, the service may still accept the token, which it has cached.
  expectProblem(await post('role=admin', token), 'token_revoked');
  expectProblem(await revoke(record.id, token), 'token_revoked');
});

test('what a revoked token still creates is refused, even if its requests came before', async () => {
  const order = { ...admin, publisherIds: [], programIds: [] };
  const { token, record } = await service.operator.createToken(order);
  let answered = 0;
  const asked = Array.from({ length: 24 }, async (_, at) => {
    const path = at % 2 === 0 ? PATH : '/api/admin/sign-in-links';
    const target = `${path}?${WEBSITE}`;
    const answer = await send(service.url, { method: 'POST', target, headers: [bearer(token)] });
    answered += 1;
    return answer.status === 201 ? 'created' : JSON.parse(answer.body).code;
  });
  const countValid = async () =>
    (await service.operator.listTokens()).filter(
      ({ createdBy, revokedAt }) => createdBy === record.id && revokedAt === undefined,
    ).length;
  await expect.poll(() => answered).toBeGreaterThan(1);
  await service.operator.revokeToken(record.id);
  const listed = await countValid();
  const answers = await Promise.all(asked);
  expect(new Set(answers)).toEqual(new Set(['created', 'token_revoked']));
  const valid = answers.filter((answer) => answer === 'created').length;
  expect(await countValid()).toBe(valid);
  // The list right after the revocation may have one more, which was under way and is revoked.
  expect([valid, valid + 1]).toContain(listed);
});

test.each(['nothing', '%00', "'", 'x'.repeat(90)])('no token has the id %s', async (id) =>
  expectProblem(await revoke(id), 'token_not_found'),
);

describe.each(WRITING.map((operation) => [operation.id, operation] as const))(
  '%s',
  (_, operation) => {
    const target = targetOf(operation);
    const method = operation.method?.toUpperCase() ?? '';
    const ask = async (...headers: readonly string[]) =>
      await send(service.url, { method, target, headers });

    // In `npm test`, each operation gets a third of them, and every three get all.
    test.each(everyNth(BAD_AUTHORIZATIONS, 3, WRITING.indexOf(operation)))(
      'refuses $name',
      async ({ headers, refusal }) => {
        const answer = await ask(...headers(tokens));
        expect([answer.status, JSON.parse(answer.body).code]).toEqual([
          refusal.status,
          refusal.code,
        ]);
      },
    );

    test('refuses admins that do not manage tokens, also those of an identity provider', async () => {
      for (const token of [await service.token({ role: 'admin' }), 'admin.b.c'])
        expectProblem(await ask(bearer(token)), 'token_management_forbidden');
    });

    test.each([
      ['JSON', ['Content-Type: application/json'], '{"role":"admin"}'],
      ['broken JSON', ['Content-Type: application/json'], '{'],
      ['a form', ['Content-Type: application/x-www-form-urlencoded'], 'role=admin'],
      ['many bytes', [], 'x'.repeat(1_000_000)],
    ])('refuses a body: %s', async (_name, headers, body) => {
      const all = [bearer(managers.all), ...headers];
      expectProblem(
        await send(service.url, { method, target, headers: all, body }),
        'content_too_large',
      );
    });

    test('refuses a body in chunks, and answers no request inside it', async () => {
      const hidden = `POST ${PATH}?role=admin HTTP/1.1\r\nHost: x\r\n${bearer(managers.all)}\r\n\r\n`;
      const head = [`${method} ${target} HTTP/1.1`, 'Host: x', bearer(managers.all)];
      const chunked = `${[...head, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n0\r\n\r\n${hidden}`;
      const answers = await exchange(service.url, chunked, 1000);
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1);
      expectProblem(readAnswer(answers), 'content_too_large');
    });

    test('accepts no other method', async () => {
      const methods = service.server.methodsOf(target.split('?', 1)[0] ?? '');
      for (const other of ['PUT', 'PATCH', 'QUERY', 'TRACE'].filter(
        (one) => !methods.includes(one),
      ))
        expectProblem(
          await send(service.url, { method: other, target, headers: [bearer(managers.all)] }),
          'method_not_allowed',
        );
    });
  },
);

test('headers that describe a body are ignored if there is no body', async () => {
  for (const header of [
    'Content-Type: application/json',
    'Content-Type: ///',
    'Content-Length: 00',
  ])
    expect((await post(WEBSITE, managers.all, header)).status).toBe(201);
});

test('a page of another origin needs a preflight, which only allowed origins get', async () => {
  const preflight = async (origin: string): Promise<RawAnswer> =>
    await send(service.url, {
      method: 'OPTIONS',
      target: PATH,
      headers: [`Origin: ${origin}`, 'Access-Control-Request-Method: POST'],
    });
  const allowed = await preflight(PAGE);
  expect(allowed.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST');
  expect(allowed.headers.has('access-control-allow-credentials')).toBe(false);
  const refused = await preflight('https://evil.example');
  expectProblem(refused, 'method_not_allowed');
  expect(refused.headers.get('allow')).toBe('GET, HEAD, POST');
  expect(refused.headers.has('access-control-allow-origin')).toBe(false);
});

test('no value of a parameter breaks the service or a later list', async () => {
  const count = (await listed()).length;
  let isCreated = 0;
  for (const [at, name] of Object.keys(TOKEN_PARAMETERS).entries()) {
    const others =
      name === 'role'
        ? ''
        : `${WEBSITE.split('&')
            .filter((part) => !part.startsWith(name))
            .join('&')}&`;
    // In `npm test`, each parameter gets a part, in turn, and the name gets all.
    const part = everyNth(FEW_INJECTIONS, name === 'name' ? 1 : 3, at);
    for (const text of fullOrShort(INJECTIONS, part)) {
      const answer = await post(`${others}${name}=${encodeURIComponent(text)}`);
      expect([201, 400, 403]).toContain(answer.status);
      if (answer.status === 201) isCreated += 1;
    }
  }
  expect(await listed()).toHaveLength(count + isCreated);
  expect((await listed()).map(({ name }) => name)).toContain("' OR '1'='1");
});

test('requests that manage tokens have lines in the log without their query', async () => {
  const answer = await post(`${WEBSITE}&name=Confidential`);
  const id = answer.headers.get('x-request-id') ?? '?';
  const line = service.log.find((text) => text.includes(id)) ?? '';
  expect(JSON.parse(line)).toMatchObject({ method: 'POST', route: PATH, status: 201 });
  expect(line).not.toContain('Confidential');
  const refused = await post(
    'role=admin',
    await service.token({ role: 'admin' }),
    'X-Request-Id: no-right',
  );
  expect(refused.status).toBe(403);
  expect(await lineOf(service, 'no-right')).toMatchObject({
    event: 'access_refused',
    details: { route: PATH, code: 'token_management_forbidden' },
  });
});
