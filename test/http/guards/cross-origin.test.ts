import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serverOf } from '../../../src/app.ts';
import type { AppParts } from '../../../src/app-parts.ts';
import { OPERATIONS } from '../../../src/contract/openapi/operations.ts';
import { MCP_HEADERS } from '../../../src/http/guards/cross-origin.ts';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { type RawAnswer, send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';

const PAGE = 'https://dashboard.example';
const OTHER_PAGE = 'http://localhost:5173';
const SALES = `/reports/api/admin/transactions?${MANY_SALES}`;

let service: TestService;
let token: string;
let spent: string;
let parts: AppParts;

beforeAll(async () => {
  service = await startService({
    basePath: '/reports',
    settings: { corsOrigins: [PAGE, OTHER_PAGE], requestsPerMinute: 50 },
    parts: (opened) => {
      parts = opened;
      return opened;
    },
  });
  await insertManySales(service.database.engine, 5000);
  [token, spent] = [await service.token({}), await service.token({})];
  for (let at = 0; at < 50; at += 1) {
    const answer = await service.get('/reports/api/me', spent);
    await answer.text();
  }
});

afterAll(async () => await service.close());

const preflight = async (target: string, origin: string, ...more: readonly string[]) =>
  await send(service.url, {
    method: 'OPTIONS',
    target,
    headers: [
      `Origin: ${origin}`,
      'Access-Control-Request-Method: GET',
      'Access-Control-Request-Headers: authorization,prefer',
      ...more,
    ],
  });

const corsOf = ({ headers }: RawAnswer): readonly string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe.each([PAGE, OTHER_PAGE])('a page of %s', (origin) => {
  const as = (bearer: string) => [`Origin: ${origin}`, `Authorization: Bearer ${bearer}`];

  test.each([
    ['a streamed list', 200, SALES, () => as(token)],
    ['an empty list', 200, SALES.replace('sales', 'leads'), () => as(token)],
    ['its own access', 200, '/reports/api/me', () => as(token)],
    ['the state of the service', 200, '/reports/health/live', () => as(token)],
    ['wrong parameters', 400, SALES.replace('type', 'typ'), () => as(token)],
    ['no token', 401, SALES, () => [`Origin: ${origin}`]],
    ['the wrong role', 403, SALES.replace('admin', 'affiliate'), () => as(token)],
    ['an unknown path', 404, '/reports/nothing', () => as(token)],
    ['a path outside the base path', 404, '/api/me', () => as(token)],
    ['a path of invalid UTF-8', 400, '/reports/%zz', () => as(token)],
    ['a path that is too long', 414, `/reports/${'x'.repeat(9000)}`, () => as(token)],
    ['too many requests', 429, '/reports/api/me', () => as(spent)],
  ])('reads %s', async (_, status, target, headers) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await send(service.url, { method, target, headers: headers() });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('vary')).toMatch(/\bOrigin\b/);
      const exposed = answer.headers.get('access-control-expose-headers');
      for (const name of ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id']) {
        expect(exposed?.split(', ')).toContain(name);
      }
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
    }
  });

  test('can read why its method or its body is refused', async () => {
    const headers = as(token);
    const posted = await send(service.url, { method: 'POST', target: SALES, headers });
    const withBody = await send(service.url, { target: SALES, headers, body: 'x' });
    expect([posted.status, withBody.status]).toEqual([405, 413]);
    for (const answer of [posted, withBody]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    }
  });

  test.each([SALES, '/reports/api/me', '/reports/nothing', '/'])(
    'gets an answer to its preflight request for %s',
    async (target) => {
      const answer = await preflight(target, origin);
      expect([answer.status, answer.body]).toEqual([204, '']);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD');
      const allowed = answer.headers.get('access-control-allow-headers')?.toLowerCase();
      expect(allowed?.split(', ')).toEqual(expect.arrayContaining(['authorization', 'prefer']));
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
      expect(answer.headers.get('vary')).toMatch(/\bOrigin\b/);
    },
  );
});

/** Headers that every page can read (CORS-safelisted in the Fetch standard). */
const READ_ANYWAY = ['Cache-Control', 'Content-Language'];
/** Headers for browsers and caches, which pages do not need. */
const OF_BROWSERS = [
  'Vary',
  'Content-Encoding',
  'Access-Control-Allow-Origin',
  'X-Content-Type-Options',
];

test('a page can read every documented response header of lists and summaries, and send every request header', async () => {
  const headers = [`Origin: ${PAGE}`, `Authorization: Bearer ${token}`];
  const answer = await send(service.url, { target: '/reports/api/me', headers });
  const exposed = answer.headers.get('access-control-expose-headers')?.split(', ') ?? [];
  const asked = await preflight(SALES, PAGE);
  const allowed = asked.headers.get('access-control-allow-headers')?.split(', ') ?? [];
  const operations = OPERATIONS.filter(({ roles }) => roles.length > 0);
  const documented = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap((line) => line.headers),
  );
  const problems = ['WWW-Authenticate', 'Retry-After'];
  const read = new Set<string>([...documented, ...problems]);
  for (const name of [...READ_ANYWAY, ...OF_BROWSERS]) read.delete(name);
  expect([...exposed].sort()).toEqual([...read].sort());
  const sent = new Set<string>(operations.flatMap(({ requestHeaders }) => requestHeaders));
  // Only the browser can set this header.
  sent.delete('Accept-Encoding');
  expect([...allowed].sort()).toEqual(
    ['Authorization', 'Content-Type', 'traceparent', 'tracestate', ...MCP_HEADERS, ...sent].sort(),
  );
});

const FOREIGN = [
  'https://evil.example',
  'http://dashboard.example',
  'https://dashboard.example:8443',
  'https://dashboard.example.evil.example',
  'https://evil-dashboard.example',
  'https://sub.dashboard.example',
  'HTTPS://DASHBOARD.EXAMPLE',
  `${PAGE}/`,
  `${PAGE}, https://evil.example`,
  'null',
  '*',
  '',
];

test.each(FOREIGN)('a page of "%s" can read nothing', async (origin) => {
  const headers = [`Origin: ${origin}`, `Authorization: Bearer ${token}`];
  const answer = await send(service.url, { target: '/reports/api/me', headers });
  expect([answer.status, corsOf(answer)]).toEqual([200, []]);
  expect(answer.headers.get('vary')).toMatch(/\bOrigin\b/);
  const asked = await preflight(SALES, origin);
  expect([asked.status, corsOf(asked)]).toEqual([405, []]);
});

test('a response to a request without an origin varies by origin, so a cache cannot give it to a page', async () => {
  const headers = [`Authorization: Bearer ${token}`];
  const answer = await send(service.url, { target: SALES, headers });
  expect([answer.status, corsOf(answer)]).toEqual([200, []]);
  expect(answer.headers.get('vary')).toMatch(/^Origin, Authorization/);
});

test('OPTIONS that is not a preflight request is refused like any other method', async () => {
  const headers = [`Origin: ${PAGE}`];
  const answer = await send(service.url, { method: 'OPTIONS', target: SALES, headers });
  expect(answer.status).toBe(405);
});

test('a preflight request with a body closes the connection', async () => {
  const answer = await preflight(SALES, PAGE, 'Content-Length: 5');
  expect([answer.status, answer.headers.get('connection')]).toEqual([204, 'close']);
});

test('without CORS_ORIGINS, no page can read anything', async () => {
  const closed = serverOf({ ...parts, corsOrigins: [] });
  const url = await closed.listen({ host: '127.0.0.1', port: 0 });
  const headers = [`Origin: ${PAGE}`, 'Access-Control-Request-Method: GET'];
  for (const method of ['GET', 'OPTIONS']) {
    const answer = await send(url, { method, target: '/reports/api/me', headers });
    expect(corsOf(answer)).toEqual([]);
    expect(answer.status).toBe(method === 'GET' ? 401 : 405);
    expect(answer.headers.get('vary') ?? '').not.toContain('Origin');
  }
  await closed.close();
});
