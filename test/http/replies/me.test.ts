import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';

const NO_LIMITS = { requests: null, downloads: null };

/** A principal of an identity provider, with the required properties only. */
async function verifyJwt() {
  return {
    id: 'someone@example.com',
    role: 'affiliate',
    publisherIds: [7],
    programIds: 'all',
  } as const;
}

describe.each(TESTED_STORES)('on the store %s', (store) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ store, verifyJwt });
  });

  afterAll(async () => await service.close());

  const me = async (token: string) => await (await service.get('/api/me', token)).json();

  test('an affiliate sees their websites, language and expiry', async () => {
    const expiresAt = new Date('2099-01-31T22:00:00Z');
    const order = { role: 'affiliate', publisherIds: [101, 100], locale: 'de', expiresAt } as const;
    expect(await me(await service.token(order))).toEqual({
      name: null,
      role: 'affiliate',
      publisher_ids: [101, 100],
      program_ids: 'all',
      locale: 'de',
      time_zone: 'Europe/Paris',
      currency: null,
      may_manage_tokens: false,
      expires_at: '2099-01-31T22:00:00.000Z',
      limits: NO_LIMITS,
    });
  });

  test('an admin sees the programs that they are limited to, and whether they manage tokens', async () => {
    const limited = await service.token({ role: 'admin', programIds: [12] });
    expect(await me(limited)).toMatchObject({
      role: 'admin',
      publisher_ids: 'all',
      program_ids: [12],
    });
    expect(await me(await service.token({ role: 'admin' }))).toMatchObject({ program_ids: 'all' });
    const manager = await service.token({ role: 'admin', mayManageTokens: true });
    expect(await me(manager)).toMatchObject({ may_manage_tokens: true });
  });

  test('a missing name, language or expiry is null', async () => {
    expect(await me('eyJh.eyJz.c2ln')).toMatchObject({
      name: null,
      role: 'affiliate',
      publisher_ids: [7],
      locale: null,
      expires_at: null,
    });
  });

  test('the response must not be cached, and varies by token', async () => {
    const { headers } = await service.get('/api/me', await service.token({}));
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('vary')).toBe('Authorization');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('the response has the name of the token, but neither the token nor its id', async () => {
    const { token, record } = await service.operator.createToken({
      role: 'admin',
      publisherIds: [],
      programIds: [],
      name: 'the name of the holder',
    });
    const text = await (await service.get('/api/me', token)).text();
    expect(JSON.parse(text)).toMatchObject({ name: 'the name of the holder' });
    for (const secret of [token, record.id, 'hash']) expect(text).not.toContain(secret);
  });

  test('there are no parameters, so each one is reported as unknown', async () => {
    const headers = [`Authorization: Bearer ${await service.token({})}`];
    const answer = await send(service.url, { target: '/api/me?id=2&id=3&publisher_id=9', headers });
    expectProblem(answer, 'invalid_parameters');
    const faults: { parameter: string; code: string }[] = JSON.parse(answer.body).errors;
    expect(faults.map(({ parameter, code }) => [parameter, code])).toEqual([
      ['id', 'unknown'],
      ['publisher_id', 'unknown'],
    ]);
  });

  test('a token is required', async () => {
    expectProblem(await send(service.url, { target: '/api/me' }), 'token_missing');
  });
});

describe('with a currency', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ settings: { currency: 'CHF' } });
  });

  afterAll(async () => await service.close());

  test('the response has its code', async () => {
    const answer = await service.get('/api/me', await service.token({}));
    expect(await answer.json()).toMatchObject({ currency: 'CHF' });
  });

  test('the OpenAPI document names it in general and for each amount', async () => {
    const document = await (await service.get('/openapi.json')).json();
    expect(document).toMatchObject({
      info: { description: expect.stringContaining('Amounts are in CHF (ISO 4217).') },
      components: {
        schemas: {
          AdminTransaction: {
            properties: { amount: { description: expect.stringMatching(/, in CHF$/) } },
          },
          AffiliateGroup: {
            properties: { remuneration: { description: expect.stringMatching(/, in CHF$/) } },
          },
        },
      },
    });
    expect(JSON.stringify(document).match(/, in CHF"/g)).toHaveLength(12);
  });

  test('the documentation page names it', async () => {
    expect(await (await service.get('/docs')).text()).toContain('Amounts are in CHF (ISO 4217).');
  });
});

describe('with limits', () => {
  let limited: TestService;

  beforeAll(async () => {
    limited = await startService({
      settings: { requestsPerMinute: 5, concurrentDownloads: 3 },
    });
  });

  afterAll(async () => await limited.close());

  test('the response has what remains, after this request', async () => {
    const token = await limited.token({});
    const answers = [await limited.get('/api/me', token), await limited.get('/api/me', token)];
    const left = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { limits: unknown }).limits),
    );
    expect(left).toEqual([
      {
        requests: { limit: 5, remaining: 4, window_seconds: 60, reset_seconds: expect.any(Number) },
        downloads: { limit: 3, remaining: 3 },
      },
      {
        requests: { limit: 5, remaining: 3, window_seconds: 60, reset_seconds: expect.any(Number) },
        downloads: { limit: 3, remaining: 3 },
      },
    ]);
  });
});
