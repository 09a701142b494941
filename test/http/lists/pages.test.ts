import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../src/contract/openapi/operations.ts';
import { PROBLEM_CODES } from '../../../src/contract/problems/problem-body.ts';
import { LIST_PARAMETER_NAMES } from '../../../src/contract/query/parameters.ts';
import { FIELDS } from '../../../src/contract/record/fields.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { everyNth } from '../../support/run/sampled.ts';
import { accessibilityFaults } from '../../support/servers/accessibility.ts';
import { openBrowser } from '../../support/servers/browser.ts';

const BASE = '/reports';
const SCHEMES = ['light', 'dark'] as const;

const PAGES = ['/docs', '/problems', '/problems/invalid-parameters'];

let service: TestService;
let browser: Browser;

beforeAll(async () => {
  // The pages are complete without the script that is built with the explorer.
  const explorer = new URL('file:///nowhere/');
  [service, browser] = await Promise.all([
    startService({ basePath: BASE, parts: (parts) => ({ ...parts, explorer }) }),
    openBrowser(),
  ]);
});

afterAll(async () => await Promise.all([browser.close(), service.close()]));

interface Visit {
  readonly page: Page;
  /** The requested URLs. */
  readonly asked: readonly string[];
  /** Errors of the browser, such as violations of the content security policy. */
  readonly complaints: readonly string[];
}

/** Opens a page, runs a test on it and closes it. */
async function visit(
  path: string,
  options: Parameters<Browser['newContext']>[0],
  look: (visit: Visit) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) asked.push(request.url());
  });
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  try {
    await page.goto(service.url + BASE + path, { waitUntil: 'load' });
    await look({ page, asked, complaints });
  } finally {
    await context.close();
  }
}

describe.each(PAGES)('the page %s', (path) => {
  test('requests nothing but itself, and violates no policy', async () => {
    await visit(path, {}, async ({ asked, complaints }) => {
      expect(asked).toEqual([service.url + BASE + path]);
      expect(complaints).toEqual([]);
    });
  });

  test('may load nothing, and may not be framed', async () => {
    const { headers } = await service.get(BASE + path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*'; img-src data:;/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:|script-src/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-language')).toBe('en');
    expect(headers.get('etag')).toBeNull();
  });

  // In `npm test`, each page is tested in one of the colour schemes, in turn.
  test.each(everyNth(SCHEMES, 2, PAGES.indexOf(path)))(
    'is accessible in %s',
    async (colorScheme) => {
      await visit(path, { colorScheme }, async ({ page }) => {
        const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
        expect(ground).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(18, 22, 28)');
        // The dark theme differs only in its colours.
        const rules = colorScheme === 'dark' ? ['color-contrast'] : [];
        expect(await accessibilityFaults(page, rules)).toEqual([]);
      });
    },
  );

  test('fits screens of 320 to 1920 pixels', async () => {
    await visit(path, {}, async ({ page }) => {
      for (const width of [320, 390, 800, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          width,
        );
      }
    });
  });

  test('has no dead link', async () => {
    await visit(path, {}, async ({ page }) => {
      const links = await page.locator('a').evaluateAll((all) => all.map((a) => Object(a).href));
      const places = await page
        .locator('[id]')
        .evaluateAll((all) => all.map((one) => Object(one).id));
      expect(links.length).toBeGreaterThan(1);
      for (const link of new Set(links)) {
        const { origin, pathname, hash } = new URL(link);
        expect(origin).toBe(service.url);
        if (hash !== '') expect(places).toContain(hash.slice(1));
        else expect((await service.get(pathname)).status, pathname).toBe(200);
      }
    });
  });
});

test('the documentation shows every path, parameter, field and problem', async () => {
  await visit('/docs', {}, async ({ page }) => {
    const codes = new Set(await page.locator('code').allInnerTexts());
    const paths = OPERATIONS.map(({ path }) => BASE + path);
    const fields = FIELDS.map(({ name }) => name);
    const wanted = [...paths, ...LIST_PARAMETER_NAMES, ...fields, ...PROBLEM_CODES];
    expect(wanted.filter((name) => !codes.has(name))).toEqual([]);
    for (const name of LIST_PARAMETER_NAMES) {
      expect(
        await page
          .locator('td', { hasText: new RegExp(`^${name}$`) })
          .first()
          .isVisible(),
      ).toBe(true);
    }
  });
});

test('the OpenAPI document is served with the base path', async () => {
  const response = await service.get(`${BASE}/openapi.json`);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('public, max-age=300');
  expect(response.headers.get('etag')).toBeNull();
  expect(await response.json()).toMatchObject({ servers: [{ url: BASE }] });
});
