import { once } from 'node:events';
import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProblemCode, problemLine } from '../../../src/contract/problems/problems.ts';
import { ParserErrorReplies } from '../../../src/http/guards/parser-errors.ts';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { exchange, readAnswer } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow } from '../../support/rows/file-rows.ts';
import { everyNth } from '../../support/run/sampled.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const SALES = '/api/admin/transactions?type=sales&start_date=2026-01-01&end_date=2026-01-31';

/** More rows than fit into the buffers between the service and a client that reads nothing. */
const ROWS = fullOrShort(60_000, 20_000);

let service: TestService;
let authorization: string;

beforeAll(async () => {
  service = await startService();
  await insertRows(service.database, [fileRow({})]);
  authorization = `Authorization: Bearer ${await service.token({})}`;
});

afterAll(async () => await service.close());

const request = (line: string, ...headers: readonly string[]): string =>
  [line, ...headers, '', ''].join('\r\n');

/** A valid request, before the test changes it. */
const good = (...headers: readonly string[]): string =>
  request(`GET ${SALES} HTTP/1.1`, 'Host: x', authorization, ...headers);

const BROKEN: readonly (readonly [name: string, bytes: () => string | Buffer, ProblemCode])[] = [
  ['garbage', () => Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10]), 'malformed_request'],
  ['a TLS hello', () => Buffer.from('1603010200010001fc0303', 'hex'), 'malformed_request'],
  ['an HTTP/2 preface', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'malformed_request'],
  ['an unknown method', () => good().replace('GET', 'FETCH'), 'malformed_request'],
  ['a method in lower case', () => good().replace('GET', 'get'), 'malformed_request'],
  ['an unknown HTTP version', () => good().replace('/1.1', '/1.9'), 'malformed_request'],
  ['a space in the path', () => good().replace('/api/', '/api /'), 'malformed_request'],
  ['a header without a colon', () => good('Nonsense'), 'malformed_request'],
  ['a header with a control character', () => good('X: a\u0001b'), 'malformed_request'],
  ['a header with a space in its name', () => good('X Y: a'), 'malformed_request'],
  ['a folded header', () => good('X: a', ' b'), 'malformed_request'],
  ['no Host', () => good().replace('Host: x\r\n', ''), 'malformed_request'],
  ['two Hosts', () => good('Host: y'), 'malformed_request'],
  ['two lengths', () => good('Content-Length: 1', 'Content-Length: 2'), 'malformed_request'],
  ['a length that is not a number', () => good('Content-Length: x'), 'malformed_request'],
  ['a negative length', () => good('Content-Length: -1'), 'malformed_request'],
  [
    'a length beside chunks',
    () => good('Content-Length: 5', 'Transfer-Encoding: chunked'),
    'malformed_request',
  ],
  ['an unknown transfer coding', () => good('Transfer-Encoding: nonsense'), 'malformed_request'],
  ['a coding after chunks', () => good('Transfer-Encoding: chunked, gzip'), 'malformed_request'],
  [
    'a chunk without a size',
    () => `${good('Transfer-Encoding: chunked')}ZZ\r\n`,
    'content_too_large',
  ],
  [
    'a chunk that is longer than it says',
    () => `${good('Transfer-Encoding: chunked')}1\r\nabc\r\n`,
    'content_too_large',
  ],
  [
    'a bad percent-encoding in the path',
    () => good('Connection: close').replace('/api/', '/api/%zz'),
    'malformed_request',
  ],
  [
    'half a character in the path',
    () => good('Connection: close').replace('/api/', '/api/%c3%28'),
    'malformed_request',
  ],
  [
    'a URL of 9 kB',
    () => good('Connection: close').replace('?', `?x=${'x'.repeat(9000)}&`),
    'uri_too_long',
  ],
  [
    'a path of 9 kB',
    () => good('Connection: close').replace('/api/', `/${'x'.repeat(9000)}/`),
    'uri_too_long',
  ],
  [
    'a URL that is longer than all headers may be',
    () => good().replace('?', `?x=${'x'.repeat(90_000)}&`),
    'headers_too_large',
  ],
  ['a header of 20 kB', () => good(`X: ${'x'.repeat(20_000)}`), 'headers_too_large'],
  [
    'a token of 20 kB',
    () => good().replace('Bearer ', `Bearer ${'x'.repeat(20_000)}`),
    'headers_too_large',
  ],
  [
    'a thousand headers of 20 bytes',
    () => good(...Array.from({ length: 1000 }, (_, at) => `X-${at}: 12345678901`)),
    'headers_too_large',
  ],
];

/** The reply to the bytes, after a valid request on the same connection. */
async function exchangeLater(bytes: string | Buffer): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  const text = () => Buffer.concat(chunks).toString();
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('error', () => socket.destroy()).on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(good());
  await expect.poll(text).toMatch(/^HTTP\/1\.1 200 .*\r\n0\r\n\r\n$/s);
  chunks.length = 0;
  socket.setTimeout(5000, () => socket.destroy()).write(bytes);
  await ended;
  return text();
}

describe.each([
  [
    'is the first on its connection',
    async (bytes: string | Buffer) => await exchange(service.url, bytes),
    BROKEN,
  ],
  // In `npm test`, a part of them follows a valid request.
  ['follows a valid one', exchangeLater, everyNth(BROKEN, 3)],
] as const)('a malformed request that %s', (_, exchangeBytes, requests) => {
  test.each(requests)('%s gets a problem, and the connection is closed', async (_, bytes, code) => {
    const text = await exchangeBytes(bytes());
    expectProblem(readAnswer(text), code);
    expect(readAnswer(text).headers.get('connection')).toBe('close');
    expect(text.match(/^HTTP\//gm)).toHaveLength(1);
  });
});

/** In `npm test`, a part of the malformed requests, and the other refusal. */
const REFUSED: typeof BROKEN = [
  ...everyNth(BROKEN, 3, 1),
  ['a request for a tunnel', () => 'CONNECT x HTTP/1.1\r\nHost: x\r\n\r\n', 'method_not_allowed'],
];

const logged = (id: string | undefined) =>
  service.log.filter((text) => id !== undefined && JSON.parse(text).req_id === id);

/** The number of responses with a status, by the metrics. */
async function counted(status: number): Promise<number> {
  const { body } = await service.monitoringServer.inject('/metrics');
  const sample = new RegExp(`^transactions_http_requests_total.*status="${status}"} (\\d+)$`, 'gm');
  return [...body.matchAll(sample)].reduce((sum, [, count]) => sum + Number(count), 0);
}

test.each(REFUSED)(
  'the refusal of %s is counted, and has one line in the log',
  async (_, bytes, code) => {
    const { status } = problemLine(code);
    const before = await counted(status);
    const id = readAnswer(await exchange(service.url, bytes())).headers.get('x-request-id');
    await expect.poll(() => logged(id)).toHaveLength(1);
    const [line = ''] = logged(id);
    expect(JSON.parse(line)).toMatchObject({ status, client: '127.0.0.1' });
    expect(line).not.toMatch(/%|[?]|Bearer/);
    expect(await counted(status)).toBe(before + 1);
  },
);

test('the line of a malformed request says why it was refused', async () => {
  for (const [bytes, reason] of [
    [good().replace('GET', 'FETCH'), 'HPE_INVALID_METHOD'],
    [good('Connection: close').replace('/api/', '/%zz/'), 'FST_ERR_BAD_URL'],
  ] as const) {
    const answer = readAnswer(await exchange(service.url, bytes));
    const [line = ''] = logged(answer.headers.get('x-request-id'));
    expect(JSON.parse(line)).toMatchObject({ code: 'malformed_request', reason });
  }
});

test('invalid percent-encoding in a value is an invalid parameter', async () => {
  const bytes = good('Connection: close').replace('type=sales', 'type=%zz');
  expectProblem(readAnswer(await exchange(service.url, bytes)), 'invalid_parameters');
});

describe('HTTP/1.0', () => {
  const old = (...headers: readonly string[]) => request(`GET ${SALES} HTTP/1.0`, ...headers);

  test('is answered without chunks, and needs no Host', async () => {
    for (const host of [[], ['Host: x'], ['Connection: keep-alive']]) {
      const answer = readAnswer(await exchange(service.url, old(authorization, ...host)));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('transfer-encoding')).toBeUndefined();
      expect(answer.headers.get('connection')).toBe('close');
      expect(JSON.parse(answer.body)).toHaveLength(1);
    }
  });

  const listIn = async (form: string, ...headers: readonly string[]) => {
    const target = `GET ${SALES}${form} HTTP/1.0`;
    return readAnswer(await exchange(service.url, request(target, authorization, ...headers)));
  };

  test.each([
    ['&format=ndjson', []],
    ['&format=csv', []],
    ['&csv=excel', []],
    ['', ['Accept-Encoding: gzip, identity;q=0']],
  ])('is refused for a stream whose end it cannot show: "%s" %j', async (form, headers) => {
    const answer = await listIn(form, ...headers);
    expectProblem(answer, 'upgrade_required');
    expect(answer.headers.get('upgrade')).toBe('HTTP/1.1');
    expect(answer.text).toContain('proxy_http_version 1.1');
  });

  test.each(['0.9', '2.0'])(
    'is like version %s in a request line, which has no chunks either',
    async (version) => {
      const target = `GET ${SALES}&format=csv HTTP/${version}`;
      const answer = await exchange(service.url, request(target, authorization));
      expectProblem(readAnswer(answer), 'upgrade_required');
    },
  );

  test('gets uncompressed JSON, and pages and files with their length', async () => {
    const list = await listIn('', 'Accept-Encoding: gzip');
    expect(list.headers.get('content-encoding')).toBeUndefined();
    expect(JSON.parse(list.body)).toHaveLength(1);
    for (const form of ['&format=csv&limit=1', '&format=ndjson&limit=1', '&format=parquet']) {
      const answer = await listIn(form);
      expect([answer.status, Number(answer.headers.get('content-length')) > 0]).toEqual([
        200,
        true,
      ]);
    }
  });

  test('gets problems too', async () => {
    expectProblem(readAnswer(await exchange(service.url, old())), 'token_missing');
  });
});

describe('pipelined requests', () => {
  test('are answered in order, even after an error', async () => {
    const nothing = good().replace('/api/', '/nothing/');
    const unknown = good().replace('type=', 'typo=');
    const text = await exchange(
      service.url,
      nothing + unknown + good() + good('Connection: close'),
    );
    const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
    expect(statuses).toEqual(['404', '400', '200', '200']);
    expect(text.match(/"transaction_id"/g)).toHaveLength(2);
  });

  test('end at a malformed one, and nothing after it is read', async () => {
    const text = await exchange(service.url, `nonsense\r\n\r\n${good()}${good()}`);
    expectProblem(readAnswer(text), 'malformed_request');
    expect(text).not.toContain('transaction_id');
  });

  test('before a malformed one are answered completely', async () => {
    const text = await exchange(service.url, `${good()}${good()}nonsense\r\n\r\n${good()}`);
    const at = text.lastIndexOf('HTTP/1.1 4');
    expect(text.slice(0, at).match(/^HTTP\/1\.1 200 |^0\r\n\r\n/gm)).toHaveLength(4);
    expectProblem(readAnswer(text.slice(at)), 'malformed_request');
  });

  test('that are malformed do not truncate a long response that is being sent', async () => {
    await insertManySales(service.database.engine, ROWS);
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const ended = new Promise((resolve) => socket.on('close', resolve));
    socket.write(good().replace(SALES, `/api/admin/transactions?${MANY_SALES}`));
    const chunks = await once(socket, 'data');
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // The client reads nothing until the server has read the malformed request.
    socket.pause();
    await new Promise<void>((resolve) => socket.write('nonsense\r\n\r\n', () => resolve()));
    await sleep(200);
    socket.resume();
    await ended;
    const text = Buffer.concat(chunks).toString();
    const at = text.lastIndexOf('HTTP/1.1 4');
    expect(JSON.parse(readAnswer(text.slice(0, at)).body)).toHaveLength(ROWS);
    expectProblem(readAnswer(text.slice(at)), 'malformed_request');
  });

  test('before a CONNECT do not get its refusal in their response', async () => {
    const text = await exchange(service.url, `${good()}CONNECT x HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(text).not.toContain('405');
  });
});

test.each([
  ['asks for a tunnel', 'CONNECT x HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['sends nonsense', 'nonsense\r\n\r\n'],
])('a client that %s and does not close the connection is disconnected', async (_, bytes) => {
  const { port } = new URL(service.url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined).resume();
  socket.write(bytes);
  await once(socket, 'end');
  const connections = async () =>
    await new Promise<number>((resolve, reject) => {
      service.server.server.getConnections((error, count) => {
        if (error) reject(error);
        else resolve(count);
      });
    });
  service.server.server.closeIdleConnections();
  await expect.poll(connections).toBe(0);
  socket.destroy();
});

test('a client that opens and resets a connection affects no other client', async () => {
  for (const bytes of ['', 'GET', good().slice(0, -2), good('Content-Length: 100')]) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => {
        socket.write(bytes, () => socket.resetAndDestroy());
      });
      socket.on('error', () => undefined).on('close', () => resolve());
    });
  }
  expect((await service.get('/health/ready')).status).toBe(200);
  const wrong = service.log.filter((line) => JSON.parse(line).level > 30);
  expect(wrong).toEqual([]);
});

/** A server that has only the service's replies to parser errors. `onError` is called after each reply. */
async function bareServer(
  options: ServerOptions,
  handler: RequestListener,
  onError?: () => void,
): Promise<{ readonly url: string; close(): void }> {
  const parserErrors = new ParserErrorReplies('', () => undefined);
  const server = createServer(options, handler);
  server.on('clientError', (error, socket: Socket) => {
    parserErrors.reply(error, socket);
    onError?.();
  });
  parserErrors.listen(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

test('a client whose headers arrive too late gets a problem', async () => {
  const server = await bareServer({ headersTimeout: 50, connectionsCheckingInterval: 20 }, () => {
    throw new Error('No request was complete.');
  });
  expectProblem(readAnswer(await exchange(server.url, 'GET / HT')), 'request_timeout');
  server.close();
});

test('a handler that reads its body only after the client has closed the connection gets the problem', async () => {
  const closed = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<unknown>();
  const server = await bareServer(
    {},
    async (incoming, response) => {
      await closed.promise;
      await incoming.toArray().catch(failed.resolve);
      response.end();
    },
    closed.resolve,
  );
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').resume();
  socket.end(request('POST / HTTP/1.1', 'Host: x', 'Content-Length: 5'));
  expect(await failed.promise).toMatchObject({ code: 'malformed_request' });
  await once(socket, 'close');
  server.close();
});
