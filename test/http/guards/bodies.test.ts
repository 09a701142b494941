import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { exchange, readAnswer, send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow } from '../../support/rows/file-rows.ts';

const SALES = '/api/admin/transactions?type=sales&start_date=2026-01-01&end_date=2026-01-31';

let service: TestService;
let authorization: string;

beforeAll(async () => {
  service = await startService();
  await insertRows(service.database, [fileRow({}), fileRow({})]);
  authorization = `Authorization: Bearer ${await service.token({})}`;
});

afterAll(async () => await service.close());

/** The reply to the beginning of a request, on a connection that the client keeps open. */
async function answersTo(lines: readonly string[], after = ''): Promise<string> {
  return await exchange(service.url, `${lines.join('\r\n')}\r\n\r\n${after}`, 1000);
}

const TARGETS = [SALES, '/api/me', '/health/live'];

describe.each(TARGETS)('a body on %s', (target) => {
  test.each([
    ['of a stated length', ['Content-Length: 15'], '{"type":"leads"'],
    ['in chunks', ['Transfer-Encoding: chunked'], '5\r\nfirst\r\n0\r\n\r\n'],
    ['in no chunk at all', ['Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ])('%s is refused, and closes the connection', async (_, headers, body) => {
    const lines = [`GET ${target} HTTP/1.1`, 'Host: x', authorization, ...headers];
    const answer = readAnswer(await answersTo(lines, body));
    expectProblem(answer, 'content_too_large');
    expect(answer.headers.get('connection')).toBe('close');
  });

  test('of length 0 counts as none', async () => {
    const headers = [authorization, 'Content-Length: 0'];
    expect((await send(service.url, { target, headers })).status).toBe(200);
  });
});

test('a body is refused before its first byte arrives', async () => {
  const lines = [`GET ${SALES} HTTP/1.1`, 'Host: x', authorization, 'Content-Length: 900000000000'];
  expectProblem(readAnswer(await answersTo(lines)), 'content_too_large');
});

test('a request for a report never gets 100 Continue', async () => {
  const lines = [`GET ${SALES} HTTP/1.1`, 'Host: x', 'Content-Length: 5', 'Expect: 100-continue'];
  const answer = await answersTo(lines);
  expect(answer).not.toContain('100 Continue');
  expectProblem(readAnswer(answer), 'content_too_large');
});

test.each([
  ['1.1', true],
  ['1.0', false],
])('over HTTP/%s, the MCP server replies 100 Continue: %s', async (version, isSent) => {
  const lines = [
    `POST /mcp HTTP/${version}`,
    ...['Host: x', authorization, 'Connection: close', 'Content-Type: application/json'],
    ...['Content-Length: 2', 'Expect: 100-continue'],
  ];
  const answer = await exchange(service.url, `${lines.join('\r\n')}\r\n\r\n{}`, 30_000);
  expect(answer.startsWith('HTTP/1.1 100 Continue')).toBe(isSent);
  expect(readAnswer(answer).status).toBeGreaterThanOrEqual(200);
});

test('a client that sends a body of megabytes still reads the refusal', async () => {
  const answer = await send(service.url, { target: SALES, body: 'x'.repeat(8_000_000) });
  expectProblem(answer, 'content_too_large');
});

test.each(['GET', 'POST'])(
  'a request inside the body of a %s is never answered',
  async (method) => {
    const hidden = `GET ${SALES} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n`;
    const lines = [`${method} ${SALES} HTTP/1.1`, 'Host: x', authorization];
    for (const [header, body] of [
      [`Content-Length: ${hidden.length}`, hidden],
      ['Transfer-Encoding: chunked', `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`],
      // A proxy takes the bytes after a chunked body for another request, but the service closes the connection.
      ['Transfer-Encoding: chunked', `0\r\n\r\n${hidden}`],
      ['Content-Length: 3', `abc${hidden}`],
    ] as const) {
      const answers = await answersTo([...lines, header], body);
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1);
      expect(readAnswer(answers).status).toBe(method === 'GET' ? 413 : 405);
      expect(readAnswer(answers).headers.get('connection')).toBe('close');
    }
  },
);

test.each([
  [['Content-Length: 3', 'Transfer-Encoding: chunked']],
  [['Content-Length: 3', 'Content-Length: 4']],
  [['Content-Length: +3']],
  [['Transfer-Encoding: gzip']],
  [['Transfer-Encoding : chunked']],
])('contradictory or invalid lengths are refused: %j', async (headers) => {
  const answers = await answersTo([`GET ${SALES} HTTP/1.1`, 'Host: x', ...headers], 'abc');
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1);
  expect(readAnswer(answers).status).toBe(400);
});

test('several requests without a body can use one connection', async () => {
  const one = `GET /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`;
  const answers = await exchange(service.url, one + one, 1000);
  expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
});
