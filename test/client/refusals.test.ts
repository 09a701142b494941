import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  ApiProblem,
  type ClientOptions,
  ConnectionCut,
  createClient,
  type Fetch,
  InvalidToken,
  type ResponseStart,
  type Retry,
  UnexpectedResponse,
  Unreachable,
} from '../../client/src/index.ts';
import { newAccessToken } from '../../src/auth/access-token.ts';
import { insertManySales } from '../support/databases/inserted/many-sales.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { IS_FULL, withinMs } from '../support/run/test-extent.ts';
import { startCuttingProxy } from '../support/servers/cutting-proxy.ts';

const MANY = { type: 'sales', start_date: '2026-03-01', end_date: '2026-03-01' } as const;

/** A well-formed token that the service does not know. */
const UNKNOWN = newAccessToken();

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startService({
    settings: { requestsPerMinute: 60 },
    webhookNetworks: ['127.0.0.1'],
  });
  await insertManySales(service.database.engine, 20);
  token = await service.token({});
});

afterAll(async () => await service.close());

const clientWith = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: service.url, token, ...options });

/** Answers the first requests itself and forwards the others. */
const answeringFirst = (...answers: readonly (Response | Error)[]): Fetch => {
  const left = [...answers];
  return async (url, init) => {
    const answer = left.shift();
    if (answer instanceof Error) throw answer;
    return answer ?? (await globalThis.fetch(url, init));
  };
};

const refusal = (status: number, headers: Record<string, string> = {}): Response =>
  new Response('<h1>Not now</h1>', {
    status,
    headers: { 'content-type': 'text/html', ...headers },
  });

const answerOf = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'application/x-ndjson' } });

const caught = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a problem is thrown', () => {
  test('with the fields of the problem', async () => {
    const { transactions } = clientWith().admin;
    const wrong = { ...MANY, start_date: '2026-02-30', status: '7' as '0' };
    const error = await caught(Array.fromAsync(transactions.list(wrong)));
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({
      name: 'ApiProblem',
      status: 400,
      code: 'invalid_parameters',
      title: 'Invalid query parameters',
      errors: [{ parameter: 'start_date' }, { parameter: 'status' }],
      requestId: expect.stringMatching(/^[\w.-]+$/),
      retryAfter: undefined,
    });
    expect(String(error)).toMatch(/\nstart_date: .+\nstatus: /);
  });

  test.each([
    ['wrong_role', 403, () => clientWith().affiliate.transactions.page({ ...MANY, limit: 1 })],
    ['token_invalid', 401, () => clientWith({ token: UNKNOWN }).me()],
    ['publisher_forbidden', 403, async () => await asAffiliate()],
  ])('%s', async (code, status, ask) => {
    expect(await caught(ask())).toMatchObject({ code, status, name: 'ApiProblem' });
  });

  const asAffiliate = async () => {
    const other = await service.token({ role: 'affiliate', publisherIds: [100] });
    const { transactions } = clientWith({ token: other }).affiliate;
    return await transactions.summary({ ...MANY, publisher_id: 101 });
  };

  test.each([
    ['invalid_parameters', 400, {}, { end_date: 'x' }],
    ['token_invalid', 401, { token: UNKNOWN }, {}],
    ['program_forbidden', 403, 'of a program', { program_id: 11 }],
  ] as const)(
    '%s, also for tag(), although the error response to its HEAD request has no body',
    async (code, status, as, wrong) => {
      const asker =
        as === 'of a program' ? { token: await service.token({ programIds: [10] }) } : as;
      const methods: string[] = [];
      const fetch: Fetch = async (url, init) => {
        methods.push(init.method);
        return await globalThis.fetch(url, init);
      };
      const { transactions } = clientWith({ ...asker, fetch }).admin;
      const error = await caught(transactions.tag({ ...MANY, ...wrong }, { known: 'W/"x"' }));
      expect(error).toMatchObject({ name: 'ApiProblem', code, status });
      expect(methods).toEqual(['HEAD', 'GET']);
    },
  );

  test('without a retry if a retry would not help', async () => {
    const retries: Retry[] = [];
    const onRetry = (retry: Retry) => void retries.push(retry);
    const client = clientWith({ onRetry });
    await caught(Array.fromAsync(client.admin.transactions.list({ ...MANY, end_date: 'x' })));
    await caught(clientWith({ onRetry, fetch: answeringFirst(refusal(404)) }).me());
    expect(retries).toEqual([]);
  });
});

describe('a temporary refusal is retried', () => {
  test('after the seconds in Retry-After', async () => {
    const retries: Retry[] = [];
    const client = clientWith({
      fetch: answeringFirst(refusal(429, { 'retry-after': '1' }), refusal(503)),
      onRetry: (retry) => void retries.push(retry),
    });
    const began = performance.now();
    expect((await client.me()).role).toBe('admin');
    expect(performance.now() - began).toBeGreaterThan(1000);
    expect(retries.map(({ retry }) => retry)).toEqual([1, 2]);
    const [named = 0, grown = 0] = retries.map(({ wait }) => wait);
    expect(named).toBeGreaterThanOrEqual(1000);
    expect(named).toBeLessThan(1300);
    expect(grown).toBeLessThan(1000);
  });

  // Only in the full run. In `npm test`, the test above reads the header.
  test.runIf(IS_FULL)('at the date in Retry-After', async () => {
    const retries: Retry[] = [];
    const date = new Date(Date.now() + 2000).toUTCString();
    const client = clientWith({
      fetch: answeringFirst(refusal(503, { 'retry-after': date })),
      onRetry: (retry) => void retries.push(retry),
    });
    await client.me();
    expect(retries[0]?.wait).toBeLessThan(2300);
    expect(retries[0]?.wait).toBeGreaterThanOrEqual(1000);
  });

  test('unless Retry-After is longer than the longest wait', async () => {
    const spent = await service.token({});
    const client = clientWith({ token: spent, longestWait: 0 });
    const error = await caught(
      (async () => {
        for (;;) await client.me();
      })(),
    );
    expect(error).toMatchObject({ code: 'too_many_requests', status: 429 });
    expect((error as ApiProblem).retryAfter).toBeGreaterThan(0);
  });

  test('as often as the option retries allows', async () => {
    const answers = Array.from({ length: 9 }, () => refusal(503, { 'retry-after': '0' }));
    let asked = 0;
    const fetch: Fetch = async () => answers[asked++] ?? refusal(500);
    expect(await caught(clientWith({ fetch, retries: 2 }).me())).toBeInstanceOf(UnexpectedResponse);
    expect(asked).toBe(3);
  });

  test('until its signal is aborted', async () => {
    const fetch = answeringFirst(refusal(503, { 'retry-after': '60' }));
    const signal = AbortSignal.timeout(50);
    const began = performance.now();
    expect(await caught(clientWith({ fetch }).me({ signal }))).toBe(signal.reason);
    expect(performance.now() - began).toBeLessThan(withinMs(5000));
  });

  test('not before the end of a wait that is longer than a timer can be', async () => {
    const days = 30;
    let asked = 0;
    const fetch: Fetch = async () => {
      asked += 1;
      return refusal(503, { 'retry-after': String(days * 86_400) });
    };
    const signal = AbortSignal.timeout(200);
    const client = clientWith({ fetch, longestWait: Number.POSITIVE_INFINITY });
    expect(await caught(client.me({ signal }))).toBe(signal.reason);
    expect(asked).toBe(1);
  });
});

describe('a tag', () => {
  const problem = { 'content-type': 'application/problem+json' };

  test('is requested again after a temporary refusal', async () => {
    const retries: Retry[] = [];
    const onRetry = (retry: Retry) => void retries.push(retry);
    const fetch = answeringFirst(new Response(null, { status: 503, headers: problem }));
    const { transactions } = clientWith({ fetch, onRetry }).admin;
    expect(await transactions.tag(MANY)).toMatch(/^W\/"/);
    expect(retries.map(({ error }) => error.name)).toEqual(['UnexpectedResponse']);
  });

  test('is not requested again after an error of another server', async () => {
    const { transactions } = clientWith({ fetch: answeringFirst(refusal(404)) }).admin;
    const error = await caught(transactions.tag(MANY));
    expect(error).toBeInstanceOf(UnexpectedResponse);
    expect(error).toMatchObject({ status: 404 });
  });
});

test.each(['two words', 'ümlaut', 'line\nbreak', ''])(
  'the token %j is an InvalidToken, which no request and no error contains',
  async (invalid) => {
    const requested: string[] = [];
    const fetch: Fetch = async (url) => {
      requested.push(String(url));
      return refusal(500);
    };
    const error = await caught(clientWith({ token: () => invalid, fetch }).me());
    expect(error).toBeInstanceOf(InvalidToken);
    expect(requested).toEqual([]);
    if (invalid !== '') expect(inspect(error)).not.toContain(invalid);
  },
);

describe('a failure of the connection', () => {
  test('is retried if no response arrived', async () => {
    const lost = new TypeError('fetch failed');
    const client = clientWith({ fetch: answeringFirst(lost, lost) });
    expect((await client.me()).role).toBe('admin');
  });

  test('after a removal does not hide that it succeeded', async () => {
    const lost = new Set<string>();
    const fetch: Fetch = async (url, init) => {
      const response = await globalThis.fetch(url, init);
      if (init.method !== 'DELETE' || lost.has(url)) return response;
      lost.add(url);
      throw new TypeError('fetch failed');
    };
    const manager = await service.token({ mayManageTokens: true });
    const { tokens, webhooks } = clientWith({ token: manager, fetch }).admin;
    const link = await tokens.createLink({ role: 'admin' });
    expect(await tokens.revoke(link.id)).toEqual({ id: link.id, revoked: true });
    const { id } = await webhooks.add({ url: 'https://127.0.0.1:1/hook', role: 'admin' });
    expect(await webhooks.remove(id)).toEqual({ id, removed: true });
    expect(lost.size).toBe(2);
    expect(await caught(webhooks.remove(id))).toMatchObject({ code: 'webhook_not_found' });
  });

  test.each([
    ['no service', () => Promise.reject(new TypeError('fetch failed'))],
    ['a proxy that has no service', async () => refusal(502)],
    ['a service that shuts down', async () => refusal(503)],
  ])('because of %s does not turn a wrong id into a removal', async (_, failing) => {
    let left = 0;
    const fetch: Fetch = async (url, init) => {
      if (init.method !== 'DELETE' || left === 0) return await globalThis.fetch(url, init);
      left -= 1;
      return await failing();
    };
    const manager = await service.token({ mayManageTokens: true, programIds: [10] });
    const { tokens, webhooks } = clientWith({ token: manager, fetch }).admin;
    const ofAll = { role: 'admin', publisherIds: [], programIds: [] } as const;
    const { record } = await service.operator.createToken(ofAll);
    left = 1;
    expect(await caught(tokens.revoke(record.id))).toMatchObject({ code: 'token_not_found' });
    expect(left).toBe(0);
    left = 1;
    expect(await caught(webhooks.remove('none'))).toMatchObject({ code: 'webhook_not_found' });
    expect(left).toBe(0);
  });

  test.each([
    ['no attempt has failed', []],
    ['an attempt was over the limit', [refusal(429, { 'retry-after': '0' })]],
  ])(
    'is not assumed when %s and a server finds no entry that another lists',
    async (_, refusals) => {
      const left = [...refusals];
      const lists = new Map<string, Response>();
      const fetch: Fetch = async (url, { method, ...init }) => {
        if (method === 'DELETE')
          return left.shift() ?? (await globalThis.fetch(url, { method, ...init }));
        if (method !== 'GET') return await globalThis.fetch(url, { method, ...init });
        const list = lists.get(url) ?? (await globalThis.fetch(url, { method, ...init }));
        lists.set(url, list);
        return list.clone();
      };
      const manager = await service.token({ mayManageTokens: true });
      const { tokens } = clientWith({ token: manager, fetch }).admin;
      const link = await tokens.createLink({ role: 'admin' });
      await tokens.list();
      await clientWith({ token: manager }).admin.tokens.revoke(link.id);
      expect(await caught(tokens.revoke(link.id))).toMatchObject({ code: 'token_not_found' });
      expect(left).toEqual([]);
    },
  );

  test('is Unreachable if there is no service', async () => {
    const client = clientWith({ baseUrl: 'http://127.0.0.1:9', retries: 1 });
    expect(await caught(client.me())).toBeInstanceOf(Unreachable);
  });

  test('is ConnectionCut if every response is truncated', async () => {
    const proxy = await startCuttingProxy(service.url, 'GET /api/admin');
    const { transactions } = clientWith({ baseUrl: proxy.url, retries: 1 }).admin;
    proxy.cutNext([1200, 1200]);
    expect(await caught(transactions.page({ ...MANY, limit: 20 }))).toBeInstanceOf(ConnectionCut);
    proxy.cutNext([1200]);
    expect((await transactions.page({ ...MANY, limit: 20 })).rows.length).toBe(20);
    await proxy.close();
  });

  test.each([true, false])(
    'is detected when the last line is incomplete (stream: %s)',
    async (stream) => {
      const short: Fetch = async () => answerOf('{"transaction_id":1}\n{"transac');
      const { transactions } = clientWith({ fetch: short, retries: 0 }).admin;
      const ids: number[] = [];
      const reading = (async () => {
        const rows = transactions.list(MANY, { stream });
        for await (const { transaction_id } of rows) ids.push(transaction_id);
      })();
      expect(await caught(reading)).toBeInstanceOf(ConnectionCut);
      expect(ids).toEqual(stream ? [1] : []);
    },
  );
});

describe('another server', () => {
  let other: Server;
  let url: string;

  afterEach(() => void other.close());

  const startOther = async (status: number, headers: Record<string, string>, body = '') => {
    const seen: (string | undefined)[] = [];
    other = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(status, headers).end(body);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    return seen;
  };

  test('that redirects is not followed', async () => {
    const seen = await startOther(302, { location: `${service.url}/api/me` });
    const error = await caught(clientWith({ baseUrl: url }).me());
    expect(error).toBeInstanceOf(UnexpectedResponse);
    expect(String(error)).toContain('set the base URL');
    expect(seen.length).toBe(1);
  });

  test.each([
    [404, 'text/html', '<h1>Nothing</h1>'],
    [500, 'application/problem+json', '{"type":"about:blank","title":"Oops"}'],
    [400, 'application/problem+json', 'null'],
    [200, 'text/html', '<h1>Welcome</h1>'],
  ])('that answers %i with %s is an UnexpectedResponse', async (status, type, body) => {
    await startOther(status, { 'content-type': type }, body);
    const client = clientWith({ baseUrl: url, retries: 0 });
    const answers = [
      caught(client.me()),
      caught(client.admin.transactions.page({ ...MANY, limit: 1 })),
      caught(Array.fromAsync(client.admin.transactions.list(MANY, { stream: true }))),
    ];
    for (const error of await Promise.all(answers)) {
      expect(error).toBeInstanceOf(UnexpectedResponse);
      expect(error).toMatchObject({ status });
      expect(String(error)).toContain('base URL');
    }
  });
});

describe('the access token', () => {
  const secret = 'trx_verysecret';

  test('appears in no error', async () => {
    const failing: Fetch = async (url, init) => await globalThis.fetch(url, init);
    const attempts = [
      clientWith({ token: `${secret}\nx` }).me(),
      clientWith({ token: `${secret} é` }).me(),
      clientWith({ token: async () => `${secret}\u0000` }).me(),
      clientWith({ token: secret }).me(),
      clientWith({ token: secret, baseUrl: 'http://127.0.0.1:9', retries: 0 }).me(),
      clientWith({ token: secret, fetch: failing }).admin.transactions.page({ ...MANY, limit: 1 }),
    ];
    for (const error of await Promise.all(attempts.map(caught))) {
      expect(error).toBeInstanceOf(Error);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('verysecret');
    }
  });

  test('does not appear when the client is printed', () => {
    const client = clientWith({ token: secret });
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain('verysecret');
    expect(JSON.stringify(client)).not.toContain('verysecret');
  });

  test('may change with each request', async () => {
    const given = [token, UNKNOWN];
    const client = clientWith({ token: () => given.shift() ?? '' });
    expect((await client.me()).role).toBe('admin');
    expect(await caught(client.me())).toMatchObject({ code: 'token_invalid' });
  });
});

test.each([
  'ftp://reports.example',
  'https://me:verysecret@reports.example',
  'https://x.example/?a=1',
])('the base URL %s is refused at once, without showing its password', (baseUrl) => {
  expect(() => clientWith({ baseUrl })).toThrow(/^The base URL must be/);
});

test.each(['', 'reports.example', undefined])(
  'the base URL %j is refused with an example',
  (baseUrl) => {
    const options = { baseUrl: baseUrl as string };
    expect(() => clientWith(options)).toThrow('such as https://reports.example.');
  },
);

test.each(['', undefined, null])('the token %j is refused at once', (missing) => {
  expect(() => clientWith({ token: missing as string })).toThrow('Set token to an access token');
});

test('a response that does not begin in time is requested again, and its late connection is closed', async () => {
  const closed: Promise<unknown>[] = [];
  const silent = createServer((request) => {
    closed.push(new Promise((resolve) => request.socket.once('close', resolve)));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const { port } = silent.address() as AddressInfo;
  const retried: Retry[] = [];
  const client = clientWith({
    baseUrl: `http://127.0.0.1:${port}`,
    timeout: 0.1,
    retries: 1,
    onRetry: (retry) => retried.push(retry),
  });
  const error = await caught(client.me());
  expect(error).toBeInstanceOf(Unreachable);
  expect(inspect(error)).toContain('did not begin within 0.1 seconds');
  expect([retried.length, closed.length]).toEqual([1, 2]);
  await Promise.all(closed);
  silent.close();
});

test('a request that is answered within the timeout succeeds', async () => {
  const client = clientWith({ timeout: 60 });
  expect((await client.me()).role).toBe('admin');
  expect(await caught(client.admin.transactions.page({ ...MANY, limit: 1 }))).toBeUndefined();
});

test.each([3_000_000, Number.POSITIVE_INFINITY])(
  'a timeout of %s seconds, which no timer can wait, is no limit',
  async (timeout) => {
    const fetch: Fetch = async (url, init) => {
      await delay(50, undefined, init.signal === null ? {} : { signal: init.signal });
      return await globalThis.fetch(url, init);
    };
    const own = await service.token({});
    const client = clientWith({ token: own, timeout, retries: 0, fetch });
    expect((await client.me()).role).toBe('admin');
  },
);

test('onResponse gets the request id and the headers of each response, also of a refusal', async () => {
  const seen: ResponseStart[] = [];
  const onResponse = (response: ResponseStart) => void seen.push(response);
  await clientWith({ onResponse }).me();
  await caught(clientWith({ token: UNKNOWN, onResponse }).me());
  expect(seen.map(({ status }) => status)).toEqual([200, 401]);
  for (const { requestId } of seen) expect(requestId).toMatch(/^[\w.-]{1,64}$/);
  expect(seen[0]?.headers.get('ratelimit')).toContain('"requests";r=');
});

test('a base URL may have a path, with or without a trailing slash', async () => {
  const asked: string[] = [];
  const fetch: Fetch = async (url, init) => {
    asked.push(url);
    return await globalThis.fetch(url.replace('/reports', ''), init);
  };
  for (const end of ['', '/']) {
    await clientWith({ baseUrl: `${service.url}/reports${end}`, fetch }).me();
  }
  expect(asked).toEqual(Array(2).fill(`${service.url}/reports/api/me`));
});

test('labels are in the language of the client if the token has no language', async () => {
  const other = await service.token({ locale: undefined });
  const client = clientWith({ token: other, language: 'de' });
  const { rows } = await client.admin.transactions.page({ ...MANY, limit: 1 });
  expect(rows[0]?.status_label).toBe('Ausstehend');
});
