import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';

const LIST = `/api/admin/transactions?${MANY_SALES}&limit=1`;
const FROM_PROXY = 'X-Forwarded-For: 203.0.113.7';
const FROM_HTTPS = 'X-Forwarded-Proto: https';

interface Case {
  readonly what: string;
  readonly headers: readonly string[];
  /** What the links begin with. */
  readonly origin: string;
}

// biome-ignore format: one case a line
const ALONE: readonly Case[] = [
  { what: 'the host localhost, which a proxy may have set', headers: ['Host: localhost:3000'], origin: '' },
  { what: 'a loopback address', headers: ['Host: [::1]:80'], origin: '' },
  { what: 'a host name', headers: ['Host: reports.example'], origin: '' },
  { what: 'headers that no proxy has set', headers: ['Host: x', FROM_PROXY, FROM_HTTPS, 'X-Forwarded-Host: evil.example'], origin: '' },
];

// biome-ignore format: one case a line
const BEHIND_PROXY: readonly Case[] = [
  { what: 'X-Forwarded-Proto', headers: ['Host: reports.example', FROM_PROXY, FROM_HTTPS], origin: 'https://reports.example' },
  { what: 'X-Forwarded-Proto and X-Forwarded-Host', headers: ['Host: x', FROM_PROXY, FROM_HTTPS, 'X-Forwarded-Host: reports.example:8443'], origin: 'https://reports.example:8443' },
  { what: 'no X-Forwarded-Proto', headers: ['Host: reports.example', FROM_PROXY], origin: '' },
  { what: 'an invalid X-Forwarded-Proto', headers: ['Host: reports.example', FROM_PROXY, 'X-Forwarded-Proto: javascript'], origin: '' },
  { what: 'an invalid host', headers: ['Host: a>b/c', FROM_PROXY, FROM_HTTPS], origin: '' },
];

const PUBLIC: readonly Case[] = [
  { what: 'any host', headers: ['Host: evil.example'], origin: 'https://reports.example' },
];

describe.each([
  { where: 'alone', settings: {}, cases: ALONE },
  {
    where: 'behind a trusted proxy',
    settings: { trustedProxies: ['127.0.0.1'] },
    cases: BEHIND_PROXY,
  },
  {
    where: 'with a public URL',
    settings: { basePath: '/reporting', publicUrl: 'https://reports.example/reporting' },
    cases: PUBLIC,
  },
])('$where', ({ settings, cases }) => {
  const basePath = settings.basePath ?? '';
  let service: TestService;
  let token: string;

  beforeAll(async () => {
    service = await startService({ settings, basePath });
    await insertManySales(service.database.engine, 2);
    token = await service.token({});
  });

  afterAll(async () => await service.close());

  test.each(cases)(
    'a request with $what gets links that begin with "$origin"',
    async ({ headers, origin }) => {
      const authorized = [...headers, `Authorization: Bearer ${token}`];
      const page = await send(service.url, { target: basePath + LIST, headers: authorized });
      expect(page.headers.get('link')).toContain(`<${origin}${basePath}/api/admin/transactions?`);
      const document = await send(service.url, { target: `${basePath}/openapi.json`, headers });
      expect(JSON.parse(document.body).servers[0].url).toBe(origin + basePath || '/');
      expect(document.headers.get('vary')).toContain('Host');
    },
  );

  test('the link leads to the next page', async () => {
    const first = await service.get(basePath + LIST, token);
    const [, next = ''] = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
    const last = await service.get(next.replace('https://reports.example', ''), token);
    expect([last.status, last.headers.get('link')]).toEqual([200, null]);
  });
});
