import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_CLAIM_NAMES } from '../../../src/auth/oidc/oidc-claims.ts';
import {
  AUDIENCE,
  type RunningProvider,
  signingKey,
  startProvider,
} from '../../auth/oidc/oidc-provider.ts';
import { openStage, type Stage, visit } from '../../support/programs/explorer.ts';
import { IS_FULL } from '../../support/run/test-extent.ts';
import { accessibilityFaults } from '../../support/servers/accessibility.ts';

let provider: RunningProvider;
let stage: Stage;

const CLAIMS = { role: 'affiliate', publisher_ids: [345], locale: 'en' };

beforeAll(async () => {
  provider = await startProvider(await signingKey('page'));
  const { issuer } = provider;
  stage = await openStage({
    settings: {
      oidc: { issuer, audience: AUDIENCE, maxLifetime: 86_400, ...DEFAULT_CLAIM_NAMES },
      signIn: {
        issuer,
        clientId: 'page',
        scope: 'openid',
        audience: AUDIENCE,
        audienceParameter: 'resource',
      },
    },
  });
});

afterAll(async () => {
  await stage.close();
  await provider.close();
});

/** Signs in at the provider, where any name and password are accepted, and consents. */
async function signInThere(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Sign in with your account|Se connecter avec/ }).click();
  await page.locator('input[name="login"]').fill('someone');
  await page.locator('input[name="password"]').fill('any');
  await page.locator('button[type="submit"]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

const signedIn = (page: Page) => page.getByRole('button', { name: /Account|Compte/ });

/** Makes the page a client of the provider, with access tokens that are valid for some seconds. */
const serve = async (seconds: number, claims: object = CLAIMS) =>
  await provider.serve({ address: stage.address, claims, seconds });

/** Leaves out complaints about the provider's own pages: blocked fonts, and a field that has the focus already. */
const ownComplaints = (complaints: readonly string[]) =>
  complaints.filter((text) => !/^(Failed to load resource|Autofocus processing)/.test(text));

test('a user signs in through the provider, reloads the page, and signs out there', async () => {
  await serve(600);
  await visit(stage, { search: '?type=leads' }, async ({ page, asked, complaints }) => {
    await page.getByRole('button', { name: 'Sign in with your account' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await signInThere(page);
    await signedIn(page).waitFor();
    // The query string is as before the sign-in, without the authorization code.
    expect(page.url()).toBe(`${stage.address}?type=leads`);
    expect(await page.getByRole('radio', { name: 'Leads', exact: true }).isChecked()).toBe(true);
    const tokenPath = `${provider.issuer}/token`;
    const policy = (await fetch(stage.address)).headers.get('content-security-policy');
    expect(policy).toContain(`connect-src 'self' ${tokenPath};`);
    expect(asked.filter((url) => url === tokenPath)).toHaveLength(1);
    const sent = new URL(asked.find((url) => url.startsWith(`${provider.issuer}/auth?`)) ?? '');
    expect(Object.fromEntries(sent.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      client_id: 'page',
      redirect_uri: stage.address,
      resource: AUDIENCE,
      state: expect.stringMatching(/^.{22,}$/),
      nonce: expect.stringMatching(/^.{22,}$/),
    });
    expect(await page.evaluate('localStorage.length')).toBe(0);
    await page.reload();
    await signedIn(page).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: /Yes/ }).click();
    await page.getByRole('button', { name: 'Sign in with your account' }).waitFor();
    expect(page.url()).toBe(stage.address);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(ownComplaints(complaints)).toEqual([]);
  });
});

test('a user stays signed in by renewal of the access token', async () => {
  await serve(6);
  await visit(stage, {}, async ({ page, asked, complaints }) => {
    await signInThere(page);
    await signedIn(page).waitFor();
    // The access token expires after a few seconds, and the next request renews it.
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: /Account/ }).click();
          await page.getByRole('dialog').getByText('345').waitFor();
          await page.keyboard.press('Escape');
          return asked.filter((url) => url === `${provider.issuer}/token`).length;
        },
        { timeout: 30_000, interval: 1000 },
      )
      .toBeGreaterThan(1);
    expect(ownComplaints(complaints)).toEqual([]);
  });
});

test('refusals by the provider and by the service are explained in plain words', async () => {
  const french = { locale: 'fr-FR', viewport: { width: 390, height: 844 } };
  await serve(600);
  await visit(stage, french, async ({ page }) => {
    await page.getByRole('button', { name: 'Se connecter avec votre compte' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByText('Vous ne vous êtes pas connecté.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    // A response that this tab did not ask for, as an attacker could make one.
    await page.goto(`${stage.address}?code=stolen&state=unknown`);
    await page.getByText('Cette connexion n’a pas commencé ici').waitFor();
    expect(page.url()).toBe(stage.address);
    await serve(600, {});
    await signInThere(page);
    await page.getByText('Votre compte ne donne pas accès').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });
});

// Only in the full run. In `npm test`, the test above shows refusals, and sign-in.test.ts checks the token field.
test.runIf(IS_FULL)(
  'the service says that its provider does not answer, and the token field still works',
  async () => {
    await visit(stage, {}, async ({ page }) => {
      await page.route('**/api/sign-in', async (route) => await route.fulfill({ status: 503 }));
      await page.reload();
      await page.getByText('The sign-in page does not answer at the moment.').waitFor();
      await page.unroute('**/api/sign-in');
      await page.getByRole('button', { name: 'Try again' }).click();
      const button = page.getByRole('button', { name: 'Sign in with your account' });
      await button.waitFor();
      await page.route('**/api/sign-in', async (route) => await route.abort());
      await page.reload();
      await page.getByRole('textbox', { name: 'Access token' }).waitFor();
      expect(await button.count()).toBe(0);
      await page.unroute('**/api/sign-in');
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      await button.waitFor();
      const token = await stage.service.token({ role: 'admin', locale: 'en' });
      await page.getByRole('textbox', { name: 'Access token' }).fill(token);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await signedIn(page).waitFor();
    });
  },
);

// Only in the full run. In `npm test`, sign-in.test.ts checks that a link leaves nothing of a replaced sign-in.
test.runIf(IS_FULL)(
  'a link that replaces a sign-in through the provider sends no token of the provider',
  async () => {
    await serve(3600);
    const order = { role: 'admin', publisherIds: [], programIds: [], locale: 'en' } as const;
    const { code } = await stage.service.operator.createLink(order);
    await visit(stage, {}, async ({ page }) => {
      await signInThere(page);
      await signedIn(page).waitFor();
      await page.evaluate(`location.hash = '#sign-in=${code}'`);
      await page.getByRole('button', { name: 'Use the link' }).click();
      await page.getByRole('region', { name: 'Signed in by a link' }).waitFor();
      const request = page.waitForRequest('**/api/me');
      await signedIn(page).click();
      const { authorization } = (await request).headers();
      expect(authorization).toMatch(/^Bearer trx_/);
      await page.getByRole('dialog').getByText('Administrator').waitFor();
    });
  },
);
