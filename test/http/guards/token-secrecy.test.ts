import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOfToken, newAccessToken } from '../../../src/auth/access-token.ts';
import type { Operation } from '../../../src/contract/openapi/operation.ts';
import { GUARDED, sampleNumberOf, targetOf } from '../../support/attacks/guarded-operations.ts';
import { exchange, type RawRequest, send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { everyNth } from '../../support/run/sampled.ts';

const QUESTION = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';

let service: TestService;

beforeAll(async () => {
  service = await startService({ settings: { trustedProxies: ['loopback'] } });
});

afterAll(async () => await service.close());

/** Requests with a token in every place that can hold one. */
function requestsWith(token: string, operation: Operation): readonly RawRequest[] {
  const { path, parameters } = operation;
  const target = targetOf(operation);
  const authorization = `Authorization: Bearer ${token}`;
  return [
    { target, headers: [authorization] },
    { method: 'HEAD', target, headers: [authorization] },
    { target, headers: [authorization, authorization] },
    { target, headers: [`Authorization: Basic ${token}`] },
    { target, headers: [`Authorization: ${token}`] },
    { target, headers: [authorization, `X-Request-Id: ${token}`] },
    { target, headers: [`X-Request-Id: request-${token}`] },
    { target, headers: [`X-Request-Id: ${token.slice(0, 30)}`] },
    { target, headers: [`Cookie: token=${token}`, `X-Access-Token: ${token}`] },
    { target, headers: [authorization, `Host: ${token}`] },
    { target, headers: [authorization, `Accept-Language: ${token}`, `User-Agent: ${token}`] },
    { target, headers: [`Referer: http://localhost/?${token}`, `X-Forwarded-For: ${token}`] },
    { target, headers: [`${token}: 1`] },
    { target, headers: [authorization, `Content-Type: ${token}`], body: token },
    { target: `${target}&access_token=${token}`, headers: [authorization] },
    { target: `${target}&${token}=1`, headers: [authorization] },
    ...Object.keys(parameters).map((name) => ({
      target: `${target}&${name}=${token}`,
      headers: [authorization],
    })),
    {
      target: `${path}?${Object.keys(parameters)
        .map((name) => `${name}=${token}`)
        .join('&')}`,
      headers: [authorization],
    },
    { target, headers: [authorization, `If-None-Match: "${token}"`, `Prefer: ${token}`] },
    { target, headers: [authorization, `Accept: ${token}`, `Accept-Encoding: ${token}`] },
    { target, headers: [authorization, `Origin: https://${token}`] },
    { target: `${path}/${token}`, headers: [authorization] },
    { target: `/${token}`, headers: [authorization] },
    { target: `/${token}%zz`, headers: [authorization] },
    { target: `${target}#${token}` },
    { target: `http://${token}@localhost${target}` },
    { target: `${target}&x=${token.repeat(250)}` },
    { target, headers: [`X-Long: ${token.repeat(500)}`] },
    { method: 'POST', target, headers: [authorization], body: token },
    { method: 'DELETE', target: `/${token}` },
    { method: token.toUpperCase(), target },
  ];
}

test.each(GUARDED.map((operation) => [operation.path, operation] as const))(
  'no token appears in the log or in a response of %s, wherever it was sent',
  async (_, operation) => {
    const [role = 'admin'] = operation.roles;
    const order = { role, publisherIds: [100] };
    const good = await service.token(order);
    const expired = await service.token({ ...order, expiresAt: new Date(0) });
    const unknown = newAccessToken();
    const logged = service.log.length;
    // In `npm test`, each operation gets one of the two refused tokens, and a part of the requests, in turn.
    const place = sampleNumberOf(operation);
    const refused = everyNth([expired, unknown], 2, place);
    for (const token of [good, ...refused]) {
      const requests = requestsWith(token, operation);
      for (const request of everyNth(requests, token === good ? 2 : 3, place)) {
        const { status, text } = await send(service.url, request);
        expect(text, request.target).not.toContain(token.slice(4, 30));
        expect(status, request.target).toBeGreaterThanOrEqual(200);
        expect(status, request.target).toBeLessThan(500);
      }
      await exchange(service.url, `${token}\r\n\r\n`);
      await exchange(service.url, `GET ${token} HTTP/1.1\r\n${token}\r\n\r\n`);
    }
    const log = service.log.slice(logged).join('');
    for (const token of [good, ...refused]) {
      expect(log).not.toContain(token.slice(4, 30));
      expect(log).not.toContain(token.slice(4, 30).toUpperCase());
      expect(log).not.toContain(hashOfToken(token));
    }
  },
);

test('the log identifies clients by the id of their token', async () => {
  const order = { role: 'admin', publisherIds: [], programIds: [] } as const;
  const { token, record } = await service.operator.createToken(order);
  const response = await service.get(`/api/admin/transactions?${QUESTION}`, token);
  await response.text();
  const line = service.log.find((text) =>
    text.includes(response.headers.get('x-request-id') ?? '?'),
  );
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    principal: record.id,
    status: 200,
    method: 'GET',
    route: '/api/admin/transactions',
  });
});
