import { gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explorerRoute } from '../../src/http/routes/explorer-route.ts';
import { buildExplorer } from '../support/programs/explorer.ts';
import { expectProblem } from '../support/requests/expect-problem.ts';
import { send } from '../support/requests/raw-http.ts';
import { startService, type TestService } from '../support/requests/service.ts';

const BASE = '/reports';

let service: TestService;

beforeAll(async () => {
  const explorer = await buildExplorer();
  service = await startService({ basePath: BASE, parts: (parts) => ({ ...parts, explorer }) });
});

afterAll(async () => await service.close());

const pageText = async (): Promise<string> => await (await service.get(`${BASE}/`)).text();

/** The files that the page loads. */
const partsOf = (page: string): readonly string[] =>
  [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);

describe('the page', () => {
  test('may load only its own files, call only its own service, and may not be framed', async () => {
    const { status, headers } = await service.get(`${BASE}/`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  test('loads its files by relative URLs, so that it works under any base path', async () => {
    const parts = partsOf(await pageText());
    expect(parts.length).toBeGreaterThanOrEqual(3);
    for (const part of parts) expect(part).toMatch(/^\.\//);
  });

  test('redirects to its URL with a trailing slash, and keeps the query string', async () => {
    const answer = await send(service.url, { target: `${BASE}?type=leads` });
    expect(answer.status).toBe(308);
    expect(answer.headers.get('location')).toBe(`${BASE}/?type=leads`);
    for (const target of [
      `${BASE.replace('r', '%72')}?subid=a?b`,
      `http://any.example${BASE}?subid=a?b`,
    ]) {
      const { status, headers } = await send(service.url, { target });
      expect([status, headers.get('location')]).toEqual([308, `${BASE}/?subid=a?b`]);
    }
  });

  test('accepts only GET and HEAD', async () => {
    const answer = await send(service.url, { method: 'POST', target: `${BASE}/` });
    expectProblem(answer, 'method_not_allowed', BASE);
    expect((await send(service.url, { method: 'HEAD', target: `${BASE}/` })).status).toBe(200);
    expectProblem(await send(service.url, { target: `${BASE}/assets/none.js` }), 'not_found', BASE);
  });
});

test('files of the page are cached forever, because their names contain their hashes', async () => {
  const assets = partsOf(await pageText()).filter((part) => part.startsWith('./assets/'));
  // Styles, the script, and small chunks that it shares with chunks loaded later.
  expect(assets.length).toBeGreaterThanOrEqual(2);
  for (const asset of assets) {
    const { status, headers } = await service.get(`${BASE}/${asset.slice(2)}`);
    expect(status).toBe(200);
    expect(asset).toMatch(/-[\w-]{8}\.(js|css)$/);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-type')).toMatch(/^text\/(javascript|css); charset=utf-8$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('the script of the page has at most 200 kB, compressed', async () => {
  const scripts = partsOf(await pageText()).filter((part) => part.endsWith('.js'));
  const sizes = scripts.map(async (script) => {
    const target = `${BASE}/${script.slice(2)}`;
    const plain = Buffer.from(await (await service.get(target)).arrayBuffer());
    const headers = ['Accept-Encoding: gzip'];
    const { body, headers: answered } = await send(service.url, { target, headers });
    expect(answered.get('content-encoding')).toBe('gzip');
    expect(answered.get('vary')).toMatch(/Accept-Encoding/);
    expect(Number(answered.get('content-length'))).toBeLessThan(plain.length);
    expect(body).toBeDefined();
    return gzipSync(plain, { level: 9 }).length;
  });
  const sum = (await Promise.all(sizes)).reduce((all, size) => all + size, 0);
  expect(sum).toBeGreaterThan(50_000);
  expect(sum).toBeLessThanOrEqual(200_000);
});

test('a page explains how to build the explorer if it is not built', async () => {
  const app = Fastify();
  explorerRoute(app, { basePath: '', explorer: new URL('file:///nowhere/') });
  const { statusCode, headers, body } = await app.inject('/');
  expect(statusCode).toBe(200);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
  expect(body).toContain('npm run build:explorer');
});
