import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES } from '../../../src/contract/record/records.ts';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { exchange, type RawAnswer, readAnswer, send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow } from '../../support/rows/file-rows.ts';

const QUESTION = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let service: TestService;
const authorization = { admin: '', affiliate: '' };

beforeAll(async () => {
  service = await startService();
  await insertRows(service.database, [fileRow({})]);
  for (const role of ROLES) {
    const token = await service.token({ role, publisherIds: [100] });
    authorization[role] = `Authorization: Bearer ${token}`;
  }
});

afterAll(async () => await service.close());

describe.each(ROLES)('every response of the endpoint for the %s', (role) => {
  const path = `/api/${role}/transactions`;
  const own = () => authorization[role];
  const other = () => authorization[role === 'admin' ? 'affiliate' : 'admin'];

  const ANSWERS: readonly (readonly [string, number, () => Promise<RawAnswer>])[] = [
    [
      'with rows',
      200,
      async () => await send(service.url, { target: `${path}?${QUESTION}`, headers: [own()] }),
    ],
    [
      'without rows',
      200,
      async () =>
        await send(service.url, {
          target: `${path}?${QUESTION.replace('sales', 'leads')}`,
          headers: [own()],
        }),
    ],
    [
      'to HEAD',
      200,
      async () =>
        await send(service.url, {
          method: 'HEAD',
          target: `${path}?${QUESTION}`,
          headers: [own()],
        }),
    ],
    [
      'to wrong parameters',
      400,
      async () => await send(service.url, { target: `${path}?type=x`, headers: [own()] }),
    ],
    [
      'without a token',
      401,
      async () => await send(service.url, { target: `${path}?${QUESTION}` }),
    ],
    [
      'to the other role',
      403,
      async () => await send(service.url, { target: `${path}?${QUESTION}`, headers: [other()] }),
    ],
  ];

  test.each(ANSWERS)('%s (%i) has headers for caches, and Vary', async (_, status, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('cache-control')).toBe(
      status === 200 ? 'private, no-cache' : 'no-store',
    );
    expect(answer.headers.get('vary')).toBe(
      'Authorization, Accept, Accept-Encoding, Accept-Language, Prefer',
    );
    expect(answer.headers.get('content-language')).toBe(status === 200 ? 'fr' : 'en');
    expect(answer.headers.get('x-request-id')).toMatch(UUID);
    const type = status === 200 ? 'application/json; charset=utf-8' : 'application/problem+json';
    expect(answer.headers.get('content-type')).toBe(type);
  });
});

test.each([
  ['/health/live', 200],
  ['/health/ready', 200],
  ['/nothing', 404],
  [`/${'x'.repeat(9000)}`, 414],
  ['/api/%zz', 400],
])('no response is cached, and each has a request id (%s, %i)', async (target, status) => {
  const answer = await send(service.url, { target });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-request-id')).toMatch(UUID);
});

describe('X-Request-Id', () => {
  const target = `/api/admin/transactions?${QUESTION}`;

  async function idFor(...lines: readonly string[]): Promise<string | undefined> {
    const headers = [authorization.admin, ...lines];
    return (await send(service.url, { target, headers })).headers.get('x-request-id');
  }

  test.each(['a', '7', 'order-66', 'a.b_c-d', 'f0e1d2c3b4a5968778695a4b3c2d1e0f', 'x'.repeat(64)])(
    'of the client is kept if it is plain: %s',
    async (id) => {
      expect(await idFor(`X-Request-Id: ${id}`)).toBe(id);
    },
  );

  test.each([
    '',
    'x'.repeat(65),
    'with space',
    'semi;colon',
    'a/b',
    '<script>',
    '"quoted"',
    '{"level":60}',
    'é',
    'a,b',
    '../../etc/passwd',
    '%0d%0aSet-Cookie:a=b',
    'trx_0123456789',
  ])('of the client is replaced if it is not plain: %s', async (id) => {
    expect(await idFor(`X-Request-Id: ${id}`)).toMatch(UUID);
  });

  test('is replaced if it is sent twice', async () => {
    expect(await idFor('X-Request-Id: a', 'X-Request-Id: b')).toMatch(UUID);
  });

  test('is different for every request', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => await idFor()));
    expect(new Set(ids).size).toBe(20);
  });

  test('is in the problem, in the header and in the log', async () => {
    const headers = ['X-Request-Id: find-me', 'X-Forwarded-For: 203.0.113.7'];
    const answer = await send(service.url, { target, headers });
    expect(answer.headers.get('x-request-id')).toBe('find-me');
    expect(JSON.parse(answer.body)).toMatchObject({ request_id: 'find-me' });
    const line = service.log.find((text) => text.includes('find-me')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({
      req_id: 'find-me',
      status: 401,
      client: '127.0.0.1',
      msg: 'answered',
    });
  });

  test('of a malformed request is a new one', async () => {
    const answer = readAnswer(await exchange(service.url, 'x\r\nX-Request-Id: a\r\n\r\n'));
    expect(answer.headers.get('x-request-id')).toMatch(UUID);
  });
});
