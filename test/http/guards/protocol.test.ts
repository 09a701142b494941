import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { exchange, type RawAnswer, readAnswer, send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow } from '../../support/rows/file-rows.ts';

const QUESTION = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';
const EMPTY = QUESTION.replace('sales', 'leads');
const SALES = `/api/admin/transactions?${QUESTION}`;

let service: TestService;
let authorization: string;

beforeAll(async () => {
  service = await startService();
  await insertRows(service.database, [fileRow({}), fileRow({})]);
  authorization = `Authorization: Bearer ${await service.token({})}`;
});

afterAll(async () => await service.close());

/** The headers that describe the response itself, not its time or its transport. */
function telling({ headers }: RawAnswer): ReadonlyMap<string, string> {
  const passing = ['date', 'transfer-encoding', 'x-request-id'];
  return new Map([...headers].filter(([name]) => !passing.includes(name)));
}

describe('HEAD has the status and the headers of GET and no body', () => {
  test.each([
    ['transactions', 200, SALES],
    ['a period without transactions', 200, `/api/admin/transactions?${EMPTY}`],
    ['wrong parameters', 400, '/api/admin/transactions?type=x'],
    ['the endpoint of the other role', 403, `/api/affiliate/transactions?${QUESTION}`],
    ['an unknown path', 404, '/nothing'],
    ['a path that is too long', 414, `/${'x'.repeat(9000)}`],
    ['liveness', 200, '/health/live'],
    ['readiness', 200, '/health/ready'],
  ])('for %s (%i)', async (_, status, target) => {
    const headers = [authorization];
    const got = await send(service.url, { target, headers });
    const head = await send(service.url, { method: 'HEAD', target, headers });
    expect(got.status).toBe(status);
    expect(got.body).not.toBe('');
    expect({ status: head.status, body: head.body }).toEqual({ status, body: '' });
    expect(telling(head)).toEqual(telling(got));
  });

  test('without a token', async () => {
    const got = await send(service.url, { target: SALES });
    const head = await send(service.url, { method: 'HEAD', target: SALES });
    expect({ status: head.status, body: head.body }).toEqual({ status: 401, body: '' });
    expect(telling(head)).toEqual(telling(got));
  });
});

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'LINK'];

const BODIES: readonly (readonly [name: string, headers: readonly string[], body: string])[] = [
  ['no body', [], ''],
  ['JSON', ['Content-Type: application/json'], '{"type":"sales"}'],
  ['broken JSON', ['Content-Type: application/json'], '{"type":'],
  ['JSON with __proto__', ['Content-Type: application/json'], '{"__proto__":{"role":"admin"}}'],
  ['a form', ['Content-Type: application/x-www-form-urlencoded'], QUESTION],
  ['a multipart form', ['Content-Type: multipart/form-data; boundary=x'], '--x--'],
  ['an unknown type', ['Content-Type: application/x-nobody-knows'], '\u0000\u0001'],
  ['an invalid type', ['Content-Type: ///;;;'], 'text'],
  ['no type', [], 'text'],
  ['invalid gzip', ['Content-Encoding: gzip'], 'not compressed at all'],
  ['two megabytes', ['Content-Type: application/json'], '"'.repeat(2_000_000)],
];

describe.each(METHODS)('%s', (method) => {
  test.each(BODIES)(
    'with %s is refused with 405 and the allowed methods',
    async (_, headers, body) => {
      for (const target of [SALES, '/api/affiliate/transactions', '/health/live']) {
        const all = [authorization, ...headers];
        const answer = await send(service.url, { method, target, headers: all, body });
        expectProblem(answer, 'method_not_allowed');
        expect(answer.headers.get('allow')).toBe('GET, HEAD');
      }
    },
  );

  test.each(BODIES)('with %s is 404 on an unknown path', async (_, headers, body) => {
    for (const target of ['/nothing', '/api', '/api/admin', '/api/admin/transactions/1']) {
      expectProblem(await send(service.url, { method, target, headers, body }), 'not_found');
    }
  });
});

test.each(['http://localhost/mcp', '/%6dcp', 'http://localhost/%6D%63p'])(
  'the target %s of a POST leads to the route of /mcp',
  async (target) => {
    expectProblem(await send(service.url, { method: 'POST', target }), 'token_missing');
  },
);

test.each(['HTTP://localhost/health/live', '/health/l%69ve'])(
  'the target %s is refused with the methods of its path',
  async (target) => {
    const answer = await send(service.url, { method: 'POST', target });
    expectProblem(answer, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  },
);

test('a method is refused before its body arrives', async () => {
  const lines = [
    `POST ${SALES} HTTP/1.1`,
    'Host: x',
    'Transfer-Encoding: chunked',
    '',
    '5',
    'first',
  ];
  const answer = await exchange(service.url, `${lines.join('\r\n')}\r\n`, 500);
  expectProblem(readAnswer(answer), 'method_not_allowed');
});

test.each(['100-continue', 'something-else'])('the expectation %s is ignored', async (value) => {
  const headers = [authorization, `Expect: ${value}`];
  const answer = await send(service.url, { target: SALES, headers });
  expect(JSON.parse(answer.body)).toHaveLength(2);
});

test('a tunnel is refused', async () => {
  const answer = await send(service.url, { method: 'CONNECT', target: 'localhost:80' });
  expectProblem(answer, 'method_not_allowed');
  expect(answer.headers.get('allow')).toBe('GET, HEAD');
});

test.each(['/*x', '/:x(', '/:x((a+)+)', '/api/:role/*', '/%2A:x('])(
  'the path %s, which looks like the pattern of a route, does not exist',
  async (target) => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      expect((await send(service.url, { method, target })).status, method).toBe(404);
    }
  },
);

test('a message to the MCP server with an invalid media type is refused as malformed', async () => {
  const headers = ['Content-Type: json', 'Content-Length: 2'];
  const answer = await send(service.url, { method: 'POST', target: '/mcp', headers, body: '{}' });
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'malformed_request' });
});
