import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAccessToken } from '../../../src/auth/access-token.ts';
import type { Operation } from '../../../src/contract/openapi/operation.ts';
import { OPERATIONS } from '../../../src/contract/openapi/operations.ts';
import { PROBLEM_CODES, problemPath } from '../../../src/contract/problems/problem-body.ts';
import { Problem, type ProblemCode, problemLine } from '../../../src/contract/problems/problems.ts';
import { EngineBusy, EngineFailure, type Reader } from '../../../src/engine/engine.ts';
import { findToken } from '../../../src/store/token-table.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { exchange, type RawAnswer, readAnswer, send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { everyNth } from '../../support/run/sampled.ts';

const BASE = '/reports';
const PERIOD = 'start_date=2026-01-01&end_date=2026-01-31';
const QUESTION = `type=sales&${PERIOD}`;
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

/** A directory without built files, so that the explorer has only the route of its page. */
const NOWHERE = new URL('file:///nowhere/');

let service: TestService;
/** The error of the next queries; undefined if they succeed. */
let failure: Error | undefined;
/** A valid token of each role, an expired one and a revoked one. */
const tokens = {} as Record<'admin' | 'affiliate' | 'expired' | 'revoked', string>;

const verifyJwt = async () => {
  throw new Problem('identity_provider_unavailable');
};

/** The real reader, until a test makes it fail. */
const failing = (reader: Reader): Reader => ({
  rows: async (statement) => {
    if (failure !== undefined) throw failure;
    return await reader.rows(statement);
  },
  read: (statement, signal) => {
    if (failure !== undefined) throw failure;
    return reader.read(statement, signal);
  },
});

beforeAll(async () => {
  service = await startService({
    basePath: BASE,
    parts: (parts) => {
      const reader = failing(parts.reader);
      const find = async (hash: string) => await findToken(reader, hash);
      return { ...parts, reader, findToken: find, verifyJwt, explorer: NOWHERE };
    },
  });
  const expiresAt = new Date(Date.now() - 1000);
  tokens.admin = await service.token({ role: 'admin', programIds: [10], mayManageTokens: true });
  tokens.affiliate = await service.token({ role: 'affiliate', publisherIds: [100] });
  tokens.expired = await service.token({ expiresAt });
  const { token, record } = await service.operator.createToken({
    role: 'admin',
    publisherIds: [],
    programIds: [],
    locale: 'fr',
  });
  await service.operator.revokeToken(record.id);
  tokens.revoked = token;
});

afterAll(async () => await service.close());

interface Route {
  readonly operation: Operation;
  /** The target of a valid request, with the base path. */
  readonly path: string;
}

/** Operations that change something have tests of their own. */
function isReading({ method }: Operation): boolean {
  return method === undefined;
}

/** Every path of the service that can be read. */
const ROUTES: readonly Route[] = OPERATIONS.filter(isReading).flatMap((operation) => {
  const { path, parameters, pathParameters = {} } = operation;
  const type = 'after' in parameters ? '?type=sales' : '';
  const question =
    'start_date' in parameters ? `?${'type' in parameters ? QUESTION : PERIOD}` : type;
  // A path has a route for each value of a parameter with few values.
  const paths = Object.entries(pathParameters).reduce(
    (all: readonly string[], [name, { schema, example }]) => {
      const values = (schema.enum ?? [example]) as readonly string[];
      return all.flatMap((one) => values.map((value) => one.replace(`{${name}}`, value)));
    },
    [path],
  );
  return paths.map((one) => ({ operation, path: BASE + one + question }));
});

const bearer = (token: string): string => `Authorization: Bearer ${token}`;
const withQuery = (path: string, query: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${query}`;
const roleOf = ({ operation }: Route) => operation.roles[0] ?? 'admin';
const ask = async (target: string, ...headers: readonly string[]) =>
  await send(service.url, { target, headers });

/** Like {@link ask}, while the database fails. */
async function askFailing(route: Route, error: Error): Promise<RawAnswer> {
  failure = error;
  try {
    return await ask(route.path, bearer(tokens[roleOf(route)]));
  } finally {
    failure = undefined;
  }
}

/** Requests a part after the end of a file. The HEAD request makes the service keep the file. */
async function askBeyondEnd(route: Route): Promise<RawAnswer> {
  const [target, headers] = [`${route.path}&format=parquet`, [bearer(tokens[roleOf(route)])]];
  await send(service.url, { method: 'HEAD', target, headers });
  return await ask(target, ...headers, 'Range: bytes=999999999-');
}

interface Failure {
  readonly code: ProblemCode;
  readonly what: string;
  /** Selects the routes that can fail in this way; all routes by default. */
  readonly of?: (route: Route) => boolean;
  readonly provoke: (route: Route) => Promise<RawAnswer>;
}

const needsToken = ({ operation }: Route) => operation.roles.length > 0;
const hasMethod = ({ operation: { path } }: Route, method: string): boolean =>
  OPERATIONS.some((other) => other.path === path && other.method?.toUpperCase() === method);
/** False for a path such as `/problems`, because there is also `/problems/{code}`. */
const hasNoLongerPath = ({ operation }: Route): boolean =>
  !OPERATIONS.some(
    ({ path }) =>
      /^\/\{\w+\}$/.test(path.slice(operation.path.length)) && path.startsWith(operation.path),
  );
const isList = ({ operation }: Route) => 'start_date' in operation.parameters;
const isOf = (role: string) => (route: Route) => isList(route) && roleOf(route) === role;
const readsDatabase = ({ operation }: Route) => operation.problems.includes('database');

const raw =
  (lines: (path: string) => readonly string[]) =>
  async ({ path }: Route) =>
    readAnswer(await exchange(service.url, `${[...lines(path), '', ''].join('\r\n')}`));

// biome-ignore format: one failure a line
const FAILURES: readonly Failure[] = [
  ...METHODS.map((method) => ({ code: 'method_not_allowed', what: method, of: (route: Route) => !hasMethod(route, method), provoke: async ({ path }: Route) => await send(service.url, { method, target: path }) }) as const),
  { code: 'method_not_allowed', what: 'a tunnel', provoke: raw((path) => [`CONNECT ${path} HTTP/1.1`, 'Host: x']) },
  { code: 'not_found', what: 'a longer path', of: hasNoLongerPath, provoke: async ({ path }) => await ask(`${path.split('?')[0]}/more`) },
  { code: 'not_found', what: 'a trailing slash', provoke: async ({ path }) => await ask(`${path.split('?')[0]}/`) },
  { code: 'not_found', what: 'upper case', provoke: async ({ path }) => await ask(path.toUpperCase()) },
  { code: 'not_found', what: 'no base path', provoke: async ({ path }) => await ask(path.slice(BASE.length)) },
  { code: 'uri_too_long', what: 'a path of 9 kB', provoke: async ({ path }) => await ask(withQuery(path, `x=${'x'.repeat(9000)}`)) },
  { code: 'headers_too_large', what: 'a header of 20 kB', provoke: async ({ path }) => await ask(path, `X: ${'x'.repeat(20_000)}`) },
  { code: 'content_too_large', what: 'a body', provoke: async ({ path }) => await send(service.url, { target: path, body: '{}' }) },
  { code: 'malformed_request', what: 'no Host', provoke: raw((path) => [`GET ${path} HTTP/1.1`]) },
  { code: 'malformed_request', what: 'two Hosts', provoke: raw((path) => [`GET ${path} HTTP/1.1`, 'Host: x', 'Host: y']) },
  { code: 'malformed_request', what: 'a header without a colon', provoke: raw((path) => [`GET ${path} HTTP/1.1`, 'Host: x', 'Nonsense']) },
  { code: 'malformed_request', what: 'a path of invalid UTF-8', provoke: raw((path) => [`GET ${path.split('?')[0]}%c3%28 HTTP/1.1`, 'Host: x', 'Connection: close']) },
  { code: 'token_missing', what: 'no token', of: needsToken, provoke: async ({ path }) => await ask(path) },
  { code: 'token_malformed', what: 'a truncated token', of: needsToken, provoke: async ({ path }) => await ask(path, bearer(tokens.admin.slice(0, -1))) },
  { code: 'token_invalid', what: 'an unknown token', of: needsToken, provoke: async ({ path }) => await ask(path, bearer(newAccessToken())) },
  { code: 'token_expired', what: 'an expired token', of: needsToken, provoke: async ({ path }) => await ask(path, bearer(tokens.expired)) },
  { code: 'token_revoked', what: 'a revoked token', of: needsToken, provoke: async ({ path }) => await ask(path, bearer(tokens.revoked)) },
  { code: 'identity_provider_unavailable', what: 'an identity provider that is down', of: needsToken, provoke: async ({ path }) => await ask(path, bearer('a.b.c')) },
  { code: 'wrong_role', what: 'the other role', of: isList, provoke: async (route) => await ask(route.path, bearer(tokens[roleOf(route) === 'admin' ? 'affiliate' : 'admin'])) },
  { code: 'invalid_parameters', what: 'an unknown parameter', of: needsToken, provoke: async (route) => await ask(withQuery(route.path, 'typo=1'), bearer(tokens[roleOf(route)])) },
  { code: 'publisher_forbidden', what: 'a foreign website', of: isOf('affiliate'), provoke: async ({ path }) => await ask(`${path}&publisher_id=999`, bearer(tokens.affiliate)) },
  { code: 'program_forbidden', what: 'a foreign program', of: isOf('admin'), provoke: async ({ path }) => await ask(`${path}&program_id=999`, bearer(tokens.admin)) },
  { code: 'not_acceptable', what: 'an unknown format', of: (route) => isList(route) && 'format' in route.operation.parameters, provoke: async (route) => await ask(route.path, bearer(tokens[roleOf(route)]), 'Accept: image/png') },
  { code: 'not_acceptable', what: 'only unknown codings', of: isList, provoke: async (route) => await ask(route.path, bearer(tokens[roleOf(route)]), 'Accept-Encoding: *;q=0') },
  { code: 'not_acceptable', what: 'only codings that files do not have', of: ({ operation }) => 'fields' in operation.parameters && 'limit' in operation.parameters, provoke: async (route) => await ask(`${route.path}&format=parquet`, bearer(tokens[roleOf(route)]), 'Accept-Encoding: gzip, identity;q=0') },
  { code: 'range_not_satisfiable', what: 'a part after the end of a file', of: ({ operation }) => operation.problems.includes('file'), provoke: askBeyondEnd },
  { code: 'precondition_failed', what: 'a part of a file that is not kept', of: ({ operation }) => operation.problems.includes('file'), provoke: async (route) => await ask(`${route.path}&format=parquet`, bearer(tokens[roleOf(route)]), 'If-Match: "other"') },
  { code: 'upgrade_required', what: 'a stream of CSV over HTTP/1.0', of: (route) => isList(route) && 'format' in route.operation.parameters, provoke: async (route) => await raw((path) => [`GET ${path}&format=csv HTTP/1.0`, bearer(tokens[roleOf(route)])])(route) },
  { code: 'transaction_not_found', what: 'a transaction that does not exist', of: ({ operation }) => operation.problems.includes('transaction'), provoke: async (route) => await ask(route.path, bearer(tokens[roleOf(route)])) },
  { code: 'database_unavailable', what: 'a database that is down', of: readsDatabase, provoke: async (route) => await askFailing(route, new EngineFailure('The network is down.')) },
  { code: 'query_too_long', what: 'a query that reaches its time limit', of: isList, provoke: async (route) => await askFailing(route, new EngineFailure('Code: 159. DB::Exception: Timeout exceeded. (TIMEOUT_EXCEEDED)')) },
  { code: 'busy', what: 'a full queue', of: isList, provoke: async (route) => await askFailing(route, new EngineBusy()) },
  { code: 'internal_error', what: 'a bug', of: isList, provoke: async (route) => await askFailing(route, new TypeError('secret')) },
];

/** With this number of routes or more, `npm test` takes a part of them, another one for each failure. */
const MANY_ROUTES = 12;

describe.each(FAILURES)('$what gets $code', (failing) => {
  const { code, of = () => true, provoke } = failing;
  const routes = ROUTES.filter(of);
  const n = routes.length < MANY_ROUTES ? 1 : 4;

  test.each(everyNth(routes, n, FAILURES.indexOf(failing)))('at $path', async (route) => {
    const answer = await provoke(route);
    expectProblem(answer, code, BASE);
    expect(answer.text).not.toContain('secret');
  });
});

test.each(PROBLEM_CODES)('the type of %s is the URL of its page', async (code) => {
  const page = await service.get(BASE + problemPath(code));
  expect([page.status, page.headers.get('content-type')]).toEqual([
    200,
    'text/html; charset=utf-8',
  ]);
  const text = await page.text();
  expect(text).toContain(`<code>${code}</code>`);
  expect(text).toContain(problemLine(code).title);
  expect(text).toContain(`href="${BASE}/problems"`);
});

/**
 * Problems that other tests provoke, because they need a method that writes, the MCP server, a wait of a minute,
 * a limit, old changes, a full disk or a server that shuts down.
 */
const ELSEWHERE: readonly ProblemCode[] = [
  'request_timeout',
  'token_management_forbidden',
  'token_too_wide',
  'token_not_found',
  'sign_in_link_invalid',
  'webhook_not_found',
  'too_many_webhooks',
  'too_many_links',
  'too_many_tokens',
  'changes_expired',
  'origin_forbidden',
  'shutting_down',
  'too_many_requests',
  'too_many_invalid_tokens',
  'too_many_downloads',
  'disk_quota_exceeded',
  'no_room',
];

test('every problem of the catalogue is provoked', () => {
  const provoked = new Set([...FAILURES.map(({ code }) => code), ...ELSEWHERE]);
  expect(PROBLEM_CODES.filter((code) => !provoked.has(code))).toEqual([]);
});

test('the server has the routes of the table and the page at its root, and no others', () => {
  const paths = ROUTES.map(({ path }) => path.split('?', 1)[0] ?? '');
  for (const path of paths)
    expect([path, service.server.methodsOf(path)]).toEqual([
      path,
      expect.arrayContaining(['GET', 'HEAD']),
    ]);
  const printed = service.server.printRoutes({ commonPrefix: false });
  const writingOnly = new Set(
    OPERATIONS.filter(
      ({ path, method }) => method !== undefined && !paths.includes(BASE + path),
    ).map(({ path }) => path),
  );
  // Below a base path, the page has two routes: with and without the trailing slash. The MCP server has one.
  const others = writingOnly.size + 3;
  expect(printed.match(/\((GET|POST|PATCH|DELETE)[A-Z, ]*\)/g) ?? []).toHaveLength(
    paths.length + others,
  );
});
