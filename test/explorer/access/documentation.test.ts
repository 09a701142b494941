import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage, signIn, visit } from '../../support/programs/explorer.ts';
import { fileRow, ndjson } from '../../support/rows/file-rows.ts';
import { fullOrShort, IS_FULL } from '../../support/run/test-extent.ts';
import { accessibilityFaults, themesOf } from '../../support/servers/accessibility.ts';

/** The folder of the screenshots. */
const PICTURES = 'artifacts/explorer';

let stage: Stage;
let token: string;

beforeAll(async () => {
  await mkdir(PICTURES, { recursive: true });
  stage = await openStage();
  await stage.service.importText(
    ndjson([fileRow({ transaction_id: 7, publisher_id: 100, created_at: '2026-01-15 10:00:00' })]),
  );
  token = await stage.service.token({ role: 'affiliate', publisherIds: [100], locale: 'en' });
});

afterAll(async () => await stage.close());

async function expectAccessible(page: Page, state: string, part = 'html'): Promise<void> {
  for (const colorScheme of themesOf(state)) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const faults = await accessibilityFaults(page, [], part);
    expect(faults, `${state} in ${colorScheme}`).toEqual([]);
    const path = `${PICTURES}/docs-${state}-${colorScheme}.png`;
    if (IS_FULL) await page.screenshot({ path, animations: 'disabled' });
  }
}

/** The first request form after the heading with this id. */
const requestFormOf = (page: Page, id: string) => page.locator(`#${id} ~ .request-form`).first();

test('a request of the documentation is sent with the token of the page, by keyboard', async () => {
  await visit(stage, {}, async ({ page, asked, complaints }) => {
    await signIn(page, token);
    await page.getByRole('button', { name: 'Download' }).first().click();
    await page.getByRole('link', { name: 'Documentation of the API' }).click();
    await page.waitForURL('**/docs?language=en');
    await page.keyboard.press('/');
    await page.keyboard.insertText('affiliate transactions/summary');
    await page.getByText(/^\d+ sections?$/).waitFor();
    expect(await page.locator('nav').getByText('/api/admin/tokens').first().isHidden()).toBe(true);
    const form = requestFormOf(page, 'affiliateTransactions');
    await form
      .getByRole('textbox', { name: 'Request' })
      .fill(
        '/reports/api/affiliate/transactions?type=sales&start_date=2026-01-01&end_date=2026-01-31',
      );
    await page.keyboard.press('Enter');
    await form.getByText('"transaction_id":7').waitFor();
    expect(await form.locator('.status').textContent()).toBe('200');
    await requestFormOf(page, 'adminTransactions')
      .getByRole('button', { name: 'Send' })
      .press('Enter');
    await requestFormOf(page, 'adminTransactions').getByText('wrong_role').waitFor();
    // The rest of the page is checked on a phone.
    await expectAccessible(page, 'answered', '.request-form');
    expect(asked.join()).not.toContain(token.slice(4));
    expect(asked.every((url) => url.startsWith(stage.address))).toBe(true);
    expect(complaints.filter((text) => !text.includes('status of 403'))).toEqual([]);
    await page.getByRole('link', { name: 'To the page with your transactions' }).click();
    await page.getByRole('button', { name: /Account/ }).waitFor();
  });
});

test('a response that arrives after a sign-out is not shown', async () => {
  await visit(stage, {}, async ({ page }) => {
    await signIn(page, token);
    const account = page.getByRole('button', { name: /Account/ });
    await account.waitFor();
    const docs = await page.context().newPage();
    await docs.goto(`${stage.address}docs`);
    const [asked, signedOut] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await docs.route('**/api/me', async (route) => {
      asked.resolve();
      await signedOut.promise;
      await route.fulfill({ json: { name: 'Mine' } });
    });
    const form = requestFormOf(docs, 'me');
    const answer = form.locator('.answer');
    await form.getByRole('button', { name: 'Send' }).click();
    await asked.promise;
    await account.click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect.poll(async () => await answer.textContent()).toBe('');
    signedOut.resolve();
    // Without the cancellation, the response is shown in this time.
    await docs.waitForTimeout(300);
    expect(await answer.textContent()).toBe('');
  });
});

test('a refused token is replaced by that of a newer sign-in in another tab', async () => {
  const { operator } = stage.service;
  const { token: former, record } = await operator.createToken({
    role: 'admin',
    publisherIds: [],
    programIds: [],
    locale: 'en',
  });
  await visit(stage, {}, async ({ page }) => {
    await signIn(page, former);
    await page.getByRole('button', { name: /Account/ }).waitFor();
    const docs = await page.context().newPage();
    await docs.goto(`${stage.address}docs`);
    const form = requestFormOf(docs, 'me');
    const send = form.getByRole('button', { name: 'Send' });
    await send.click();
    await form.getByText('"role":"admin"').waitFor();
    await operator.revokeToken(record.id);
    // The service caches tokens, and refuses a revoked one within five seconds.
    await expect
      .poll(async () => (await stage.service.get('/reports/api/me', former)).status)
      .toBe(401);
    await page.reload();
    await page.getByText('Your access was revoked.').waitFor();
    await send.click();
    await form.getByText('token_revoked').waitFor();
    await signIn(page, token);
    await page.getByRole('button', { name: /Account/ }).waitFor();
    await send.click();
    await form.getByText('"role":"affiliate"').waitFor();
  });
});

test('without a sign-in no request is sent, and URLs outside of the service are refused', async () => {
  const phone = {
    viewport: { width: 390, height: 844 },
    permissions: ['clipboard-read', 'clipboard-write'],
  };
  await visit(stage, { ...phone, search: 'docs' }, async ({ page, asked, complaints }) => {
    const form = requestFormOf(page, 'me');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('You are not signed in.').waitFor();
    for (const foreign of ['https://evil.example/reports/', '//evil.example/reports/', '/other']) {
      await form.getByRole('textbox').fill(foreign);
      await page.keyboard.press('Enter');
      await form.getByText('The request must begin with /reports/.').waitFor();
    }
    expect(asked.filter((url) => /evil|\/api\/|\/other$/.test(url))).toEqual([]);
    const command = page.locator('#me ~ .block').first();
    await command.getByRole('button', { name: 'Copy' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain(
      `"${stage.service.url}/reports/api/me"`,
    );
    // In `npm test` only the navigation, because the page is long.
    await expectAccessible(page, 'phone', fullOrShort('html', 'nav'));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.goto(`${stage.address}docs?language=fr`);
    await page.getByRole('heading', { name: 'Premiers pas' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Get started' }).count()).toBe(0);
    await page.getByText('sont en anglais').waitFor();
    await page.getByRole('searchbox', { name: 'Rechercher' }).fill('webhooks');
    await page.getByText(/^\d+ sections$/).waitFor();
    // Only the hidden English texts have this heading.
    await page.getByRole('searchbox', { name: 'Rechercher' }).fill('get started');
    await page.getByText('Aucune section', { exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Rechercher' }).fill('');
    await requestFormOf(page, 'me').getByRole('button', { name: 'Envoyer' }).click();
    await requestFormOf(page, 'me').getByText('Vous n’êtes pas connecté.').waitFor();
    // Only in the full run, because the French page has the same elements as the English one.
    if (IS_FULL) await expectAccessible(page, 'french');
    expect(complaints).toEqual([]);
  });
});

test('the content security policy allows only the script and the requests of this service', async () => {
  const { headers } = await stage.service.get('/reports/docs');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(policy).toContain("script-src 'self'; connect-src 'self'; trusted-types 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  const problems = await stage.service.get('/reports/problems');
  expect(problems.headers.get('content-security-policy')).not.toContain('script-src');
});
