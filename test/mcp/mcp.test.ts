import { once } from 'node:events';
import { connect as openSocket, type Socket } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECORD_FIELDS } from '../../src/contract/record/records.ts';
import type { Reader } from '../../src/engine/engine.ts';
import { ACCESS_COMMANDS, consumerFolder } from '../support/programs/consumer-folder.ts';
import { commandsOf } from '../support/programs/page-commands.ts';
import { lineOf } from '../support/requests/audit-lines.ts';
import { expectProblem } from '../support/requests/expect-problem.ts';
import { send } from '../support/requests/raw-http.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';

const BASE = '/reports';
const PUBLIC_URL = `https://api.example${BASE}`;
const PAGE = 'https://dashboard.example';
const COUNT = 300;
const JANUARY = { start_date: '2026-01-01', end_date: '2026-01-31' };
const SALES = { ...JANUARY, type: 'sales' };

let service: TestService;
const tokens = {} as Record<'admin' | 'affiliate', string>;

/** If set, it is called with the signal of each report query, which then returns nothing until it is aborted. */
let onHold: ((signal: AbortSignal) => void) | undefined;

/** The real reader, unless a test sets `onHold`. */
const holding = (reader: Reader): Reader => ({
  get versions() {
    return reader.versions;
  },
  rows: async (statement, signal) => await reader.rows(statement, signal),
  read: (statement, signal) => {
    if (onHold === undefined) return reader.read(statement, signal);
    onHold(signal);
    return untilAborted(signal);
  },
});

async function* untilAborted(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  await once(signal, 'abort');
  yield new Uint8Array();
}

beforeAll(async () => {
  service = await startService({
    basePath: BASE,
    settings: { corsOrigins: [PAGE], requestsPerMinute: 100, publicUrl: PUBLIC_URL },
    parts: (parts) => ({ ...parts, reader: holding(parts.reader) }),
  });
  const own = Array.from({ length: COUNT }, (_, at) =>
    fileRow({
      transaction_id: at + 1,
      publisher_id: 100,
      subid: `sub ${at}`,
      pid: 'x'.repeat(300),
    }),
  );
  await service.importText(ndjson([...own, fileRow({ transaction_id: 5000, publisher_id: 777 })]));
  tokens.admin = await service.token({ name: 'a model' });
  tokens.affiliate = await service.token({ role: 'affiliate', publisherIds: [100] });
});

afterAll(async () => {
  for (const client of clients.values()) await client.close();
  await service.close();
});

/** What a tool answers. */
interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly given: Readonly<Record<string, unknown>>;
}

const MODES = [{ mode: 'legacy' }, { mode: { pin: '2026-07-28' } }] as const;

type Mode = (typeof MODES)[number];

async function connect(token: string, versionNegotiation: Mode) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const url = new URL(`${service.url}${BASE}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  // The client checks answers against the schemas of the tools that it has listed.
  await client.listTools();
  return client;
}

const clients = new Map<string, Client>();

async function clientOf(token: string, mode: Mode): Promise<Client> {
  const key = JSON.stringify([token, mode]);
  const client = clients.get(key) ?? (await connect(token, mode));
  clients.set(key, client);
  return client;
}

async function ask(
  token: string,
  name: string,
  given: object,
  mode: Mode = MODES[0],
): Promise<Answer> {
  const client = await clientOf(token, mode);
  const result = await client.callTool({ name, arguments: { ...given } });
  const [content] = result.content;
  const text = content?.type === 'text' ? content.text : '';
  const structured = (result.structuredContent ?? {}) as Answer['given'];
  if (result.isError !== true) expect(JSON.parse(text)).toEqual(structured);
  const rows = (structured.rows ?? []) as Answer['rows'];
  return { isError: result.isError === true, text, given: structured, rows };
}

test.each(MODES)('the tools never change, says the server: %j', async (mode) => {
  const client = await clientOf(tokens.admin, mode);
  expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
});

/** Posts a message without an MCP client. */
const post = async (body: string, ...headers: readonly string[]) =>
  await send(service.url, {
    method: 'POST',
    target: `${BASE}/mcp`,
    headers: [
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      ...headers,
    ],
    body,
  });

const rpc = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

const bearer = (token: string) => `Authorization: Bearer ${token}`;

describe.each(MODES)('with the protocol $mode', (mode) => {
  test('a client finds the tools and the instructions', async () => {
    const client = await clientOf(tokens.admin, mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'describe_access',
      'measure_performance',
      'summarize_transactions',
      'list_transactions',
      'list_changes',
      'get_transaction',
      'explain',
    ]);
    for (const { annotations } of tools) expect(annotations?.readOnlyHint).toBe(true);
    // The MCP Inspector warns of lists of types, which some model providers refuse.
    expect(JSON.stringify(tools)).not.toContain('"type":[');
    expect(client.getServerVersion()?.name).toBe('transactions-reporting');
    expect(client.getInstructions()).toContain('read-only');
  });

  test('a tool answers with the rows of the API', async () => {
    const answer = await ask(
      tokens.admin,
      'summarize_transactions',
      { ...JANUARY, type: ['sales'] },
      mode,
    );
    expect(answer.rows).toMatchObject([{ count: COUNT + 1 }]);
    expect(answer.given).toMatchObject({ complete: true });
  });
});

test('describe_access tells a client what it may see, and what day it is', async () => {
  const { given } = await ask(tokens.affiliate, 'describe_access', {});
  expect(given).toMatchObject({
    access: { role: 'affiliate', publisher_ids: [100], time_zone: 'Europe/Paris' },
    today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    programs: { rows: [{ program_id: 10 }], complete: true },
    publishers: { rows: [{ publisher_id: 100 }], complete: true },
  });
});

test('describe_access shortens the list of a token with thousands of websites, and says so', async () => {
  const publisherIds = Array.from({ length: 7000 }, (_, at) => 1_000_000 + at);
  const token = await service.token({ role: 'affiliate', publisherIds });
  const { isError, text, given } = await ask(token, 'describe_access', {});
  expect(isError, text).toBe(false);
  expect(text.length).toBeLessThan(40_000);
  expect(given.access).toMatchObject({
    publisher_ids: publisherIds.slice(0, 200),
    program_ids: 'all',
    complete: false,
    note: expect.stringContaining('the first 200 of 7000 publisher_ids'),
    whole: `${PUBLIC_URL}/api/me`,
  });
});

test('pages are as large as an answer may be, and their links lead to every row once', async () => {
  const seen: unknown[] = [];
  let next: object | undefined = {};
  let pages = 0;
  while (next !== undefined && pages < 20) {
    const answer: Answer = await ask(tokens.admin, 'list_transactions', {
      ...SALES,
      limit: 10_000,
      ...next,
    });
    expect(answer.text.length).toBeLessThan(42_000);
    seen.push(...answer.rows.map(({ transaction_id }) => transaction_id));
    next = answer.given.next as object | undefined;
    expect(answer.given.complete).toBe(next === undefined);
    pages += 1;
  }
  expect(pages).toBeGreaterThan(2);
  expect(new Set(seen).size).toBe(COUNT + 1);
  expect(seen).toHaveLength(COUNT + 1);
});

test('the next page of a sorted list follows its offset, and the URL of the whole list has no sort', async () => {
  const sort = { ...SALES, sort: '-transaction_id', limit: 2 };
  const first: Answer = await ask(tokens.admin, 'list_transactions', { ...sort, offset: 1 });
  const next = first.given.next as object;
  expect(next).toMatchObject({ offset: null });
  const second: Answer = await ask(tokens.admin, 'list_transactions', { ...sort, ...next });
  const ids = [...first.rows, ...second.rows].map(({ transaction_id }) => transaction_id);
  expect(ids).toEqual([COUNT, COUNT - 1, COUNT - 2, COUNT - 3]);
  expect(String(first.given.whole)).not.toMatch(/sort|offset|limit/);
});

test('an answer that is cut and has no next page says so, and has the URL of all rows', async () => {
  const asked = { ...JANUARY, type: ['sales'], group_by: ['subid'] };
  const { given, rows } = await ask(tokens.affiliate, 'summarize_transactions', asked);
  expect(rows).toHaveLength(200);
  expect(given).toMatchObject({
    complete: false,
    note: expect.stringMatching(/only the first 200 rows/),
  });
  expect(given.whole).toMatch(`${PUBLIC_URL}/api/affiliate/transactions/summary?`);
  const whole = String(given.whole).replace(PUBLIC_URL, BASE);
  const response = await service.get(whole, tokens.affiliate);
  expect(await response.json()).toHaveLength(COUNT);
});

test('performance has a next page if it is sorted by a measure', async () => {
  const asked = { ...JANUARY, group_by: ['subid'], sort: 'subid', limit: 2 };
  const refused = await ask(tokens.affiliate, 'measure_performance', asked);
  expect(refused.text).toContain('- sort: Must be a measure or a ratio');
  const { given, rows } = await ask(tokens.affiliate, 'measure_performance', {
    ...asked,
    sort: '-sales',
  });
  expect([rows.length, given.next]).toEqual([2, { offset: '2' }]);
});

test('one transaction has the fields of the role', async () => {
  const one = { type: 'sales', transaction_id: 7 };
  const { given } = await ask(tokens.affiliate, 'get_transaction', one);
  expect(Object.keys(given.transaction as object)).toEqual(
    RECORD_FIELDS.affiliate.map(({ name }) => name),
  );
  const foreign = await ask(tokens.affiliate, 'get_transaction', { ...one, transaction_id: 5000 });
  expect(foreign).toMatchObject({
    isError: true,
    text: expect.stringMatching('transaction_not_found'),
  });
});

test('changes are followed from the present position', async () => {
  const { given } = await ask(tokens.affiliate, 'list_changes', { type: ['leads'] });
  expect(given).toMatchObject({ rows: [], complete: true });
  const lead = fileRow({ type: 'leads', transaction_id: 6000, publisher_id: 100 });
  await service.importText(ndjson([lead]));
  const later = await ask(tokens.affiliate, 'list_changes', {
    type: 'leads',
    ...Object(given.next),
  });
  expect(later.rows).toMatchObject([{ change: 'put', transaction: { transaction_id: 6000 } }]);
});

test.each([
  [
    'list_transactions',
    { ...SALES, status: ['pending'] },
    /- status: Must be .*Did you mean "2"\?/,
  ],
  [
    'list_transactions',
    { ...SALES, website_id: 1 },
    /website_id: Unknown argument. Did you mean "publisher_id"/,
  ],
  [
    'list_transactions',
    { ...SALES, order_id: 1 },
    /order_id: Unknown argument. Only administrators have "orderid"./,
  ],
  ['list_transactions', { ...SALES, format: 'csv' }, /format: Unknown argument/],
  ['list_transactions', { ...SALES, subid: { $ne: 1 } }, /subid: Must be a text/],
  ['list_transactions', { ...SALES, publisher_id: 777 }, /publisher_forbidden, 403/],
  ['get_transaction', { type: '../admin', transaction_id: 1 }, /type: Must be one word of letters/],
  ['explain', { name: 'remu_program' }, /no field, parameter or problem with this name/],
  ['explain', { name: 'too_many_reqests' }, /Did you mean "too_many_requests"/],
])('%s with %j is refused with advice', async (name, given, advice) => {
  const { isError, text } = await ask(tokens.affiliate, name, given);
  expect([isError, text]).toEqual([true, expect.stringMatching(advice)]);
  expect(text).not.toContain(tokens.affiliate);
});

test('a client that leaves ends the query of its tool', async () => {
  const { promise, resolve } = Promise.withResolvers<AbortSignal>();
  onHold = resolve;
  const left = new AbortController();
  const params = { name: 'summarize_transactions', arguments: SALES };
  const answer = fetch(`${service.url}${BASE}/mcp`, {
    method: 'POST',
    signal: left.signal,
    headers: {
      authorization: `Bearer ${tokens.admin}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: rpc('tools/call', params),
  });
  const query = await promise;
  onHold = undefined;
  left.abort();
  await expect(answer).rejects.toThrow('aborted');
  await expect.poll(() => query.aborted).toBe(true);
});

test.each([
  ['resets', 499, (socket: Socket) => socket.resetAndDestroy()],
  ['closes', 400, (socket: Socket) => socket.end()],
])(
  'a client that %s its connection before its message is complete is no failure of the service',
  async (_, status, leave) => {
    const logged = service.log.length;
    const { hostname, port } = new URL(service.url);
    const socket = openSocket(Number(port), hostname);
    socket.write(
      `POST ${BASE}/mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokens.admin}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    const since = () => service.log.slice(logged).map((line) => JSON.parse(line));
    const requests = service.server.server;
    await once(requests, 'request');
    leave(socket);
    await once(socket.resume(), 'close');
    // The request ends at once, and is not logged as a message that did not arrive in time (408).
    const statuses = () => since().flatMap(({ status }) => (status === undefined ? [] : [status]));
    await expect.poll(statuses).toEqual([status]);
    expect(since().filter(({ level }) => level > 30)).toEqual([]);
    expect((await ask(tokens.admin, 'explain', { name: 'sales' })).isError).toBeFalsy();
  },
);

test('the tool explain returns all meanings of a name', async () => {
  const { given } = await ask(tokens.admin, 'explain', { name: 'remu_program' });
  expect(given).toMatchObject({
    meanings: [{ kind: 'field of a transaction', type: 'decimal' }, {}, {}],
  });
});

test('an argument that is null counts as left out', async () => {
  const { isError } = await ask(tokens.admin, 'list_transactions', {
    ...SALES,
    limit: 1,
    subid: null,
  });
  expect(isError).toBe(false);
});

test('each message counts as one request, also with a tool that asks for several things', async () => {
  const token = await service.token({});
  const call = rpc('tools/call', { name: 'describe_access', arguments: {} });
  const left = async () => (await post(call, bearer(token))).headers.get('ratelimit');
  expect([await left(), await left()]).toEqual([
    expect.stringMatching('"requests";r=99;'),
    expect.stringMatching('"requests";r=98;'),
  ]);
  for (let at = 0; at < 98; at += 1) await post(rpc('ping'), bearer(token));
  expectProblem(await post(call, bearer(token)), 'too_many_requests', BASE);
});

test('the audit log and the log say that a question came by MCP, with its client', async () => {
  const call = rpc('tools/call', { name: 'list_transactions', arguments: { ...SALES, limit: 5 } });
  await post(call, bearer(tokens.admin), 'X-Request-Id: by-mcp');
  const line = await lineOf(service, 'by-mcp');
  expect(line).toMatchObject({ name: 'a model', client: '127.0.0.1', request_id: 'by-mcp' });
  expect(line.details).toMatchObject({
    via: 'mcp',
    outcome: 'complete',
    rows: 5,
    format: 'ndjson',
  });
  const logged = service.log
    .map((text) => JSON.parse(text))
    .filter(({ req_id }) => req_id === 'by-mcp');
  expect(logged.map(({ route, via }) => [route, via])).toEqual([
    [`${BASE}/api/admin/transactions`, 'mcp'],
    [`${BASE}/mcp`, undefined],
  ]);
});

test('without a token, a client is told how to authenticate', async () => {
  const answer = await post(rpc('tools/list'));
  expectProblem(answer, 'token_missing', BASE);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="transactions"');
  await expect(connect('nonsense', MODES[0])).rejects.toThrow();
});

test.each(['GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS'])(
  'the method %s is refused',
  async (method) => {
    const answer = await send(service.url, { method, target: `${BASE}/mcp` });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  },
);

test('web pages of other origins are refused, even if their host name resolves to this server', async () => {
  const list = rpc('tools/list');
  for (const origin of ['https://evil.example', 'null', service.url]) {
    const answer = await post(list, bearer(tokens.admin), `Origin: ${origin}`);
    expectProblem(answer, 'origin_forbidden', BASE);
  }
  for (const origin of [PAGE, 'https://api.example']) {
    const answer = await post(list, bearer(tokens.admin), `Origin: ${origin}`);
    expect(answer.status).toBe(200);
  }
  const asked = ['Access-Control-Request-Method: POST', `Origin: ${PAGE}`];
  const target = `${BASE}/mcp`;
  const preflight = await send(service.url, { method: 'OPTIONS', target, headers: asked });
  expect(preflight.headers.get('access-control-allow-methods')).toBe('POST');
});

test.each([
  ['a batch', `[${rpc('ping')}]`, 400],
  ['no JSON', '{', 400],
  ['a message that is too large', JSON.stringify({ x: 'x'.repeat(70_000) }), 413],
  ['a megabyte', 'x'.repeat(1_000_000), 413],
  ['a stream of notifications', rpc('subscriptions/listen'), 200],
])('%s gets an error of the protocol', async (_, body, status) => {
  const answer = await post(body, bearer(tokens.admin));
  expect([answer.status, answer.body]).toEqual([status, expect.stringContaining('"error"')]);
});

test('the commands of the how-to page ask three tools', async () => {
  const home = await consumerFolder(service.url + BASE, tokens.affiliate);
  const commands = await commandsOf('docs/how-to/ask-by-mcp.md');
  expect(commands).toContain(ACCESS_COMMANDS);
  const { status, stdout, stderr } = await home.run(commands);
  await home.close();
  expect(status, stderr).toBe(0);
  expect(stdout.match(/^data: /gm)).toHaveLength(3);
  expect(stdout).toMatch(/"today":"\d{4}-/);
  expect(stdout).toContain('"sales":1');
  expect(stdout).toMatch(/"isError":true/);
});
