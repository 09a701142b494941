import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newAccessToken } from '../../../src/auth/access-token.ts';
import { lineOf } from '../../support/requests/audit-lines.ts';
import { send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';

const PROXY = '127.0.0.1';

let service: TestService;

beforeAll(async () => {
  const trustedProxies = [PROXY, '10.0.0.0/8', '2001:db8:1::/48'];
  service = await startService({ settings: { trustedProxies, invalidTokensPerMinute: 2 } });
});

afterAll(async () => await service.close());

/** The client that the log names for a request through the local proxy. */
async function loggedClient(forwarded?: string): Promise<unknown> {
  const id = randomUUID();
  const headers = [`X-Request-Id: ${id}`];
  if (forwarded !== undefined) headers.push(`X-Forwarded-For: ${forwarded}`);
  await send(service.url, { target: '/health/live', headers });
  // The line is written after the response.
  const line = await vi.waitUntil(() => service.log.find((text) => text.includes(id)));
  return JSON.parse(line).client;
}

test('without a report of the proxy, the log has the address of the connection', async () => {
  expect(await loggedClient()).toBe(PROXY);
});

test('a client behind a proxy cannot choose its address', async () => {
  expect(await loggedClient('198.51.100.1, 203.0.113.7')).toBe('203.0.113.7');
});

test.each([
  ['one proxy', '203.0.113.7', '203.0.113.7'],
  ['two proxies', '203.0.113.7, 10.1.2.3', '203.0.113.7'],
  ['a client with IPv6', '2001:db8:2::7, 2001:db8:1::3', '2001:db8:2::7'],
  ['IPv4 that is written as IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
  ['proxies only', '10.9.9.9, 10.1.2.3', '10.9.9.9'],
])('behind %s the log has the address that the proxies report', async (_, forwarded, client) => {
  expect(await loggedClient(forwarded)).toBe(client);
});

test.each(['unknown', '<script>', '203.0.113.7:4711', '203.0.113.7, nonsense', ''])(
  'if a proxy reports "%s", which is not an address, the log has that of the proxy',
  async (forwarded) => {
    expect(await loggedClient(forwarded)).toBe(PROXY);
  },
);

/** A request with an unknown token for a client behind the proxy. */
const unknownFrom = async (client: string) =>
  await send(service.url, {
    target: '/api/me',
    headers: [`Authorization: Bearer ${newAccessToken()}`, `X-Forwarded-For: ${client}`],
  });

test('limits and the audit log take the address that the proxy reports', async () => {
  const statuses: number[] = [];
  for (let sent = 0; sent < 3; sent += 1) statuses.push((await unknownFrom('203.0.113.7')).status);
  expect(statuses).toEqual([401, 401, 429]);
  const other = await unknownFrom('203.0.113.8');
  expect(other.status).toBe(401);
  const line = await lineOf(service, other.headers.get('x-request-id') ?? '');
  expect(line).toMatchObject({ event: 'access_refused', client: '203.0.113.8' });
});
