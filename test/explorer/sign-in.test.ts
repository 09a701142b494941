import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_VIEWS } from '../../explorer/src/views/saved-views.ts';
import { demoPlatform } from '../../src/demo/platform/demo-platform.ts';
import { demoStage, openPage, signIn, visit } from '../support/programs/explorer.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { accessibilityFaults, OPEN_SHEET, themesOf } from '../support/servers/accessibility.ts';
import { openPersistentBrowser } from '../support/servers/browser.ts';

/** A full run has as many rows as `npm run demo`. */
const demo = demoStage(fullOrShort(200_000, 20_000));

const FIRST_ROW = '[data-place="0"]';

/** Expects that axe finds no fault, in a full run in both themes. */
async function expectAccessible(page: Page, state: string, part = 'html'): Promise<void> {
  for (const colorScheme of themesOf(state)) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const faults = await accessibilityFaults(page, [], part);
    expect(faults, `${state} in ${colorScheme}`).toEqual([]);
  }
}

/** Stores an entry for views, as a sign-in that is not kept leaves it. */
const LEAVE_VIEWS = `localStorage.setItem('transactions.views /reports/ 0', '{"isKept":false,"views":[]}')`;

/** The keys and values in local storage. */
const onDevice = async (page: Page) =>
  await page.evaluate<string>('Object.entries(localStorage).flat().join()');

/** Opens the page in another tab of the same browser. */
async function openTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(demo.stage.address);
  await tab.locator(FIRST_ROW).waitFor();
  return tab;
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Account/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
}

/** Holds back requests until the returned function is called. */
async function holdBack(page: Page, path: string): Promise<() => void> {
  const line = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await line.promise;
    await route.continue().catch(() => undefined);
  });
  return line.resolve;
}

/** The path of a URL of the API. */
const apiPath = (url: string): string | undefined => /\/api\/[^?]*/.exec(url)?.[0];

test('the counts, without which no rows are requested, are requested as soon as the token is known', async () => {
  await visit(demo.stage, {}, async ({ page, complaints }) => {
    const received: (string | undefined)[] = [];
    /** The paths of the responses that were received before the first request of each path. */
    const before = new Map<string | undefined, readonly (string | undefined)[]>();
    page.on('response', (response) => received.push(apiPath(response.url())));
    page.on('request', (request) => {
      const path = apiPath(request.url());
      if (!before.has(path)) before.set(path, [...received]);
    });
    await signIn(page, demo.tokens.admin_token);
    await page.locator(FIRST_ROW).waitFor();
    const waitedFor = before.get('/api/admin/transactions/summary');
    expect(waitedFor).toContain('/api/me');
    expect(waitedFor?.filter((path) => path?.startsWith('/api/admin'))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe('the sign-in page', () => {
  let page: Page;

  beforeAll(async () => {
    const open = await openPage(demo.stage, {});
    page = open.page;
    return open.close;
  });

  test('the token is masked until it is shown, and no browser offers to save it as a password', async () => {
    await page.getByRole('textbox', { name: 'Access token' }).waitFor();
    const shape = async () =>
      await page.evaluate<readonly string[]>(`(() => {
  const input = document.querySelector('main input');
  return [input.type, input.autocomplete, getComputedStyle(input).webkitTextSecurity];
})()`);
    expect(await shape()).toEqual(['text', 'off', 'disc']);
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await shape()).toEqual(['text', 'off', 'none']);
    await page.getByRole('button', { name: 'Hide' }).click();
    expect(await shape()).toEqual(['text', 'off', 'disc']);
  });

  test('a malformed, unknown or expired token is refused with a clear message', async () => {
    const yesterday = new Date(Date.now() - 86_400_000);
    const expired = await demo.stage.service.token({ expiresAt: yesterday });
    const alert = page.getByRole('alert');
    for (const [token, says] of [
      [
        'two words',
        'This is not an access token. Copy the whole token, without spaces or line breaks.',
      ],
      [`${expired.slice(0, -1)}!`, 'This is not an access token.'],
      [expired.slice(0, -3), 'This'],
      [expired, 'Your access has expired. Ask the operator of the service for a new token.'],
    ] as const) {
      await signIn(page, token);
      await alert.filter({ hasText: says }).waitFor();
      expect(await alert.textContent()).not.toContain('Request ID');
    }
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  test('a page from the back/forward cache is reloaded', async () => {
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const loading = page.waitForEvent('load');
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await loading;
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });
});

// Only in the full run. In `npm test`, journey.test.ts opens the account, and other tests check the sign-out.
test.runIf(IS_FULL)('the account shows the access, and signing out forgets it', async () => {
  await visit(demo.stage, {}, async ({ page }) => {
    await signIn(page, demo.tokens.affiliate_en_token);
    await page.getByRole('button', { name: /Account/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Your account' });
    const text = await sheet.textContent();
    expect(text).toContain(demoPlatform().affiliates[1]?.name);
    expect(text).toContain('Affiliate');
    expect(text).toContain(demo.tokens.affiliate_en_publisher_ids.join(', '));
    expect(text).toContain('Europe/Paris');
    await sheet.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'See your transactions' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'See your transactions' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });
});

// Only in the full run. In `npm test`, journey.test.ts checks the focus after a sign-out.
test.runIf(IS_FULL)(
  'the focus is in the token field, after sign-in on the heading, after sign-out in the field',
  async () => {
    await visit(demo.stage, {}, async ({ page }) => {
      const isFocused = async (what: string) =>
        await page.evaluate<boolean>(`document.activeElement.matches('${what}')`);
      const door = page.getByRole('textbox', { name: 'Access token' });
      await door.waitFor();
      await expect.poll(async () => await isFocused('input')).toBe(true);
      await page.keyboard.insertText(demo.tokens.affiliate_en_token);
      await page.keyboard.press('Enter');
      await page.locator(FIRST_ROW).waitFor();
      expect(await isFocused('h1')).toBe(true);
      // Nothing under the resting pointer is highlighted.
      const resting = 'document.documentElement.dataset.pointer';
      expect(await page.evaluate(resting)).toBe('resting');
      await page.mouse.move(300, 300);
      expect(await page.evaluate(`${resting} ?? 'moved'`)).toBe('moved');
      await page.keyboard.press('Tab');
      expect(await isFocused('.skip')).toBe(true);
      await page.getByRole('button', { name: /Account/ }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await door.waitFor();
      expect(await isFocused('input')).toBe(true);
    });
  },
);

test('the token stays in the tabs, not in URLs, lasting storage or the log; a sign-out also reaches a tab that is on another site', async () => {
  await visit(demo.stage, {}, async ({ page, asked, complaints }) => {
    await signIn(page, demo.tokens.affiliate_en_token);
    await page.locator(FIRST_ROW).waitFor();
    await page.getByLabel('Theme').selectOption('dark');
    await page.reload();
    await page.locator(FIRST_ROW).waitFor();
    const secret = demo.tokens.affiliate_en_token.slice(4);
    const outliving = await page.evaluate<string>(
      `JSON.stringify([{ ...localStorage }, document.cookie, location.href, history.state, document.documentElement.outerHTML])`,
    );
    expect(outliving).toContain('dark');
    expect(outliving).not.toContain(secret);
    expect(asked.join()).not.toContain(secret);
    expect(complaints.join()).not.toContain(secret);
    expect(demo.stage.service.log.join()).not.toContain(secret);
    expect(demo.stage.service.log.length).toBeGreaterThan(10);
    const tab = await openTab(page);
    await tab.goto('about:blank');
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await tab.goBack();
    await tab.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await tab.evaluate('sessionStorage.length')).toBe(0);
    await signIn(page, demo.tokens.affiliate_en_token);
    await page.locator(FIRST_ROW).waitFor();
    await Promise.all([page.close(), tab.close()]);
    const later = await page.context().newPage();
    await later.goto(demo.stage.address);
    await later.getByRole('button', { name: 'Sign in' }).waitFor();
  });
});

test('the user can stay signed in, until one tab signs out all of them', async () => {
  await visit(demo.stage, {}, async ({ page, complaints }) => {
    await page.getByRole('checkbox', { name: 'Keep me signed in on this device' }).check();
    await signIn(page, demo.tokens.affiliate_en_token);
    await page.locator(FIRST_ROW).waitFor();
    const context = page.context();
    await page.close();
    const [first, second] = [await context.newPage(), await context.newPage()];
    for (const tab of [first, second]) {
      await tab.goto(demo.stage.address);
      await tab.locator(FIRST_ROW).waitFor();
    }
    await first.getByRole('button', { name: /Account/ }).click();
    await first.getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [first, second]) {
      await tab.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await tab.evaluate('[...Object.keys(localStorage)].join()')).not.toContain('token');
    }
    await signIn(second, demo.tokens.affiliate_en_token);
    await first.locator(FIRST_ROW).waitFor();
    expect(await first.evaluate('JSON.stringify(localStorage)')).not.toContain('trx_');
    expect(complaints).toEqual([]);
  });
});

// Only in the full run. In `npm test`, the test above keeps tabs in step, and one below ends an access.
test.runIf(IS_FULL)(
  'a tab whose token is refused leaves the newer token of another tab on the device',
  async () => {
    await visit(demo.stage, {}, async ({ page }) => {
      const keep = 'Keep me signed in on this device';
      await page.getByRole('checkbox', { name: keep }).check();
      await signIn(page, demo.tokens.affiliate_en_token);
      await page.locator(FIRST_ROW).waitFor();
      const other = await openTab(page);
      const refuse = async (tab: Page) => {
        await tab.route('**/api/affiliate/**', async (route) => await route.fulfill(REFUSAL));
        const revoked = tab.getByText('Your access was revoked.').waitFor();
        // An earlier request that is still to be sent may be refused already, and then there is no radio button.
        const asks = tab.getByRole('radio', { name: 'Leads', exact: true }).press('Space');
        await Promise.race([revoked, asks]);
        await revoked;
      };
      await refuse(other);
      expect(await onDevice(other)).not.toContain(demo.tokens.affiliate_en_token);
      await other.getByRole('checkbox', { name: keep }).check();
      await signIn(other, demo.tokens.admin_token);
      await other.locator(FIRST_ROW).waitFor();
      await refuse(page);
      expect(await onDevice(page)).toContain(demo.tokens.admin_token);
    });
  },
);

describe('saved views', () => {
  let page: Page;

  beforeAll(async () => {
    const open = await openPage(demo.stage, {});
    page = open.page;
    await signIn(page, demo.tokens.affiliate_en_token);
    await page.locator(FIRST_ROW).waitFor();
    return open.close;
  });

  test('stay on the device as long as the token, whichever tab keeps it', async () => {
    const tab = await openTab(page);
    await tab.evaluate(`self.writes = 0; addEventListener('storage', () => self.writes++)`);
    const account = page.getByRole('button', { name: /Account/ });
    const keep = page.getByRole('checkbox', { name: 'Keep me signed in on this device' });
    await account.click();
    await keep.check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Mine');
    await page.keyboard.press('Enter');
    await tab.getByRole('button', { name: 'View: Mine' }).waitFor();
    // Tabs that overwrite each other do so hundreds of times in this time.
    await tab.waitForTimeout(300);
    expect(await tab.evaluate('self.writes')).toBeLessThan(10);
    expect(await onDevice(page)).toContain('"isKept":true');
    await page.keyboard.press('Escape');
    await account.click();
    await keep.uncheck();
    expect(await onDevice(page)).toContain('"isKept":false');
    await tab.close();
  });

  test('are reported if they cannot be saved, and the name stays', async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Saved views|View: / }).click();
    const sheet = page.getByRole('dialog', { name: 'Saved views' });
    const input = sheet.getByRole('textbox', { name: 'Name', exact: true });
    await page.evaluate(`{
      window.setItem = Storage.prototype.setItem;
      Storage.prototype.setItem = () => {
        throw new DOMException('It is full.', 'QuotaExceededError');
      };
    }`);
    await input.fill('Other');
    await page.keyboard.press('Enter');
    await sheet.getByText('The view was not saved.').waitFor();
    expect(await input.inputValue()).toBe('Other');
    await page.evaluate('{ Storage.prototype.setItem = window.setItem; }');
    await page.keyboard.press('Enter');
    await sheet.getByRole('button', { name: 'Delete Other' }).waitFor();
    await page.evaluate(`{
      const key = Object.keys(localStorage).find((one) => one.startsWith('transactions.views'));
      const views = Array.from({ length: ${MAX_VIEWS} }, (_, at) => ({ name: 'View ' + at, search: '?', isDefault: false }));
      localStorage.setItem(key, JSON.stringify({ isKept: false, views }));
      dispatchEvent(new Event('storage'));
    }`);
    await input.fill('One more');
    await page.keyboard.press('Enter');
    await sheet.getByText('Delete one first.').waitFor();
    expect(await input.inputValue()).toBe('One more');
  });
});

test('a link signs in at once, leaves the address, works once, and offers to stay signed in', async () => {
  const { service } = demo.stage;
  const { publisherIds = [] } = demoPlatform().affiliates[1] ?? {};
  const { code } = await service.operator.createLink({
    role: 'affiliate',
    publisherIds,
    programIds: [],
    locale: 'en',
  });
  const search = `?type=leads#sign-in=${code}`;
  await visit(demo.stage, { search }, async ({ page, asked, complaints }) => {
    await page.locator(FIRST_ROW).waitFor();
    expect(page.url()).not.toContain(code);
    expect(page.url()).toContain('type=leads');
    expect(await page.getByRole('radio', { name: 'Leads', exact: true }).isChecked()).toBe(true);
    expect(asked.filter((url) => url.includes(code.slice(4)))).toEqual([]);
    expect(await page.evaluate('JSON.stringify(history.state)')).not.toContain(code);
    await expectAccessible(page, 'signed in by a link', '.link-notice');
    await page.getByRole('button', { name: 'Keep me signed in on this device' }).click();
    expect(await page.evaluate('Object.keys(localStorage).join()')).toContain('token');
    // Opening the used link again keeps the user signed in.
    await page.goto(demo.stage.address + search);
    await page.reload();
    await page.locator(FIRST_ROW).waitFor();
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });
  const french = { search, locale: 'fr-FR' };
  await visit(demo.stage, french, async ({ page }) => {
    await page.getByText('Ce lien de connexion est incomplet, a déjà servi').waitFor();
    await page.getByRole('textbox', { name: 'Jeton d’accès' }).waitFor();
    expect(page.url()).not.toContain(code);
  });
});

// Only in the full run. In `npm test`, the test above checks that a link signs in, and works once.
test.runIf(IS_FULL)('a link that is opened without a network is not lost', async () => {
  const order = { role: 'admin', publisherIds: [], programIds: [], locale: 'en' } as const;
  const { code } = await demo.stage.service.operator.createLink(order);
  await visit(demo.stage, {}, async ({ page }) => {
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.route('**/api/sign-in', async (route) => await route.abort());
    // As if the link was pasted into the address bar of this tab.
    await page.evaluate(`location.hash = '#sign-in=${code}'`);
    await page.getByText('The service does not answer.').waitFor();
    expect(page.url()).not.toContain(code);
    await page.unroute('**/api/sign-in');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator(FIRST_ROW).waitFor();
  });
});

// Only in the full run. In `npm test`, a test above checks that a link offers to stay signed in.
test.runIf(IS_FULL)(
  'a link whose token cannot be checked at first still offers to stay signed in',
  async () => {
    const order = { role: 'admin', publisherIds: [], programIds: [], locale: 'en' } as const;
    const { code } = await demo.stage.service.operator.createLink(order);
    await visit(demo.stage, {}, async ({ page }) => {
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      await page.route('**/api/me', async (route) => await route.abort());
      await page.evaluate(`location.hash = '#sign-in=${code}'`);
      await page.getByText('The service does not answer.').waitFor();
      await page.unroute('**/api/me');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('region', { name: 'Signed in by a link' }).waitFor();
    });
  },
);

/** Numbers of at least four digits. */
const figuresOf = async (page: Page): Promise<readonly string[]> =>
  (await page.evaluate<string>(`document.querySelector('main').innerText`)).match(
    /\d{1,3}(,\d{3})+/g,
  ) ?? [];

test('a link replaces a sign-in only if the user agrees, and shows nothing of the former one', async () => {
  const { service, address } = demo.stage;
  const office = await service.token({ role: 'admin', locale: 'en', name: 'Office' });
  const { publisherIds = [] } = demoPlatform().affiliates[1] ?? {};
  const order = { role: 'affiliate', publisherIds, programIds: [], locale: 'en' } as const;
  const { code } = await service.operator.createLink(order);
  await visit(demo.stage, {}, async ({ page }) => {
    await page.getByRole('checkbox', { name: 'Keep me signed in on this device' }).check();
    await signIn(page, office);
    await page.locator(FIRST_ROW).waitFor();
    await page.evaluate(LEAVE_VIEWS);
    const tab = await page.context().newPage();
    await tab.goto(`${address}#sign-in=${code}`);
    await tab.getByText('You are signed in as Office. Use the link instead?').waitFor();
    await expectAccessible(tab, 'asks about the link', OPEN_SHEET);
    await tab.getByRole('button', { name: 'Stay signed in' }).click();
    await tab.locator(FIRST_ROW).click();
    expect(await onDevice(page)).toContain(office);
    await expect.poll(async () => await figuresOf(page)).not.toEqual([]);
    const former = await figuresOf(page);
    // The new sign-in gets no figures, so any figures on the page would be those of the old one.
    await page.route('**/api/affiliate/**', () => undefined);
    await page.evaluate(`location.hash = '#sign-in=${code}'`);
    await page.getByRole('button', { name: 'Use the link' }).click();
    await page.getByRole('region', { name: 'Signed in by a link' }).waitFor();
    expect((await figuresOf(page)).filter((figure) => former.includes(figure))).toEqual([]);
    expect(await page.locator(FIRST_ROW).count()).toBe(0);
    expect(await onDevice(page)).not.toContain('trx_');
    expect(await onDevice(page)).not.toContain('transactions.views');
    // The other tab is still signed in, and the link is used up.
    await tab.keyboard.press('Escape');
    await tab.evaluate(`location.hash = '#sign-in=${code}'`);
    await tab.getByRole('button', { name: 'Use the link' }).click();
    await tab.getByText(/This sign-in link .*was used already/).waitFor();
    expect(await tab.getByRole('button', { name: 'Use the link' }).count()).toBe(0);
    await tab.getByRole('button', { name: 'Stay signed in' }).click();
    await tab.locator(FIRST_ROW).waitFor();
  });
});

/** As the service refuses a token that was revoked. */
const REFUSAL = {
  status: 401,
  contentType: 'application/problem+json',
  json: { status: 401, code: 'token_revoked', title: 'x', detail: 'x', request_id: 'x' },
};

// Only in the full run. In `npm test`, the test above uses a link and declines one.
test.runIf(IS_FULL)(
  'a link that is being used can neither be declined nor be lost to a refusal of the former token',
  async () => {
    const order = { role: 'admin', publisherIds: [], programIds: [], locale: 'en' } as const;
    const { code } = await demo.stage.service.operator.createLink(order);
    await visit(demo.stage, {}, async ({ page }) => {
      await signIn(page, demo.tokens.affiliate_en_token);
      await page.locator(FIRST_ROW).waitFor();
      const goExchange = await holdBack(page, '**/api/sign-in');
      const goCheck = await holdBack(page, '**/api/me');
      await page.evaluate(`location.hash = '#sign-in=${code}'`);
      const question = page.getByRole('dialog', { name: 'Sign-in link' });
      await question.getByRole('button', { name: 'Use the link' }).click();
      for (const name of ['Stay signed in', 'Close']) {
        expect(await question.getByRole('button', { name }).isDisabled()).toBe(true);
      }
      // At the second Escape, browsers close a dialog without asking the page.
      for (const key of ['Escape', 'Escape']) await page.keyboard.press(key);
      await question.waitFor();
      goExchange();
      await question.waitFor({ state: 'detached' });
      await page.route('**/api/affiliate/**', async (route) => await route.fulfill(REFUSAL));
      const refused = page.waitForResponse((response) => response.status() === 401);
      await page.getByRole('radio', { name: 'Leads', exact: true }).press('Space');
      await refused;
      goCheck();
      await page.getByRole('region', { name: 'Signed in by a link' }).waitFor();
    });
  },
);

// Only in the full run. In `npm test`, a test above checks what a link does with a stored sign-in.
test.runIf(IS_FULL)('a link is used at once where the stored token has expired', async () => {
  const { service, address } = demo.stage;
  const expired = await service.token({ expiresAt: new Date(Date.now() - 86_400_000) });
  const order = { role: 'admin', publisherIds: [], programIds: [], locale: 'en' } as const;
  const { code } = await service.operator.createLink(order);
  await visit(demo.stage, {}, async ({ page }) => {
    await page.evaluate(`localStorage.setItem('transactions.token /reports/', '${expired}')`);
    await page.goto(`${address}?kind=leads#sign-in=${code}`);
    await page.getByRole('region', { name: 'Signed in by a link' }).waitFor();
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });
});

// Only in the full run. In `npm test`, access/provider.test.ts refuses sign-ins through the provider.
test.runIf(IS_FULL)(
  'a failed sign-in through the provider keeps the token that is stored',
  async () => {
    await visit(demo.stage, {}, async ({ page }) => {
      await page.getByRole('checkbox', { name: 'Keep me signed in on this device' }).check();
      await signIn(page, demo.tokens.affiliate_en_token);
      await page.locator(FIRST_ROW).waitFor();
      const pending = { state: 'x', nonce: 'x', codeVerifier: 'x', search: '' };
      await page.evaluate(
        `sessionStorage.setItem('transactions.provider /reports/', '${JSON.stringify(pending)}')`,
      );
      await page.route('**/api/sign-in', async (route) => await route.fulfill({ status: 503 }));
      await page.goto(`${demo.stage.address}?state=x&error=access_denied`);
      await page.locator(FIRST_ROW).waitFor();
      expect(page.url()).toBe(demo.stage.address);
      expect(await page.evaluate('JSON.stringify(localStorage)')).toContain('trx_');
    });
  },
);

test('an administrator gives an agency a token for two websites in three clicks', async () => {
  const { service, address } = demo.stage;
  const order = { role: 'admin', locale: 'en', name: 'Manager', mayManageTokens: true } as const;
  const manager = await service.token(order);
  const permissions = ['clipboard-read', 'clipboard-write'];
  await visit(demo.stage, { permissions }, async ({ page, complaints }) => {
    await signIn(page, manager);
    await page.getByRole('button', { name: 'Access', exact: true }).click();
    const sheet = page.getByRole('dialog', { name: 'Access tokens' });
    await sheet.getByRole('textbox', { name: 'Name' }).fill('Agency');
    await sheet.getByLabel('Publisher IDs').fill('100, 101');
    await sheet.getByRole('button', { name: 'Create token' }).click();
    await sheet.getByRole('button', { name: 'Copy the token' }).click();
    const token = await page.evaluate<string>('navigator.clipboard.readText()');
    const headers = { authorization: `Bearer ${token}` };
    const told = async () => await fetch(`${address}api/me`, { headers });
    expect(await (await told()).json()).toMatchObject({
      name: 'Agency',
      publisher_ids: [100, 101],
    });
    await expectAccessible(page, 'created', OPEN_SHEET);
    await sheet.getByRole('button', { name: 'Create another' }).click();
    // The form has the focus, so the name can be typed at once.
    await page.keyboard.type('Colleague');
    await sheet.getByLabel('Publisher IDs').fill('100');
    await sheet.getByRole('button', { name: 'Create sign-in link' }).click();
    await sheet.getByRole('button', { name: 'Copy the link' }).click();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(link).toMatch(new RegExp(`^${address}#sign-in=\\w{42}$`));
    await sheet.getByText('Link, not used yet').waitFor();
    await sheet.getByRole('button', { name: 'Revoke Colleague' }).click();
    await sheet.getByRole('button', { name: 'Revoke', exact: true }).click();
    await sheet.getByText('Link, not used yet').waitFor({ state: 'detached' });
    await sheet.getByRole('button', { name: 'Revoke Agency' }).click();
    // Only in the full run. In `npm test`, the check of the sheet above is enough: only the confirmation is new.
    if (IS_FULL) await expectAccessible(page, 'revoking', OPEN_SHEET);
    await sheet.getByRole('button', { name: 'Cancel' }).press('Enter');
    // The button that asks has the focus again.
    await page.keyboard.press('Enter');
    await sheet.getByRole('button', { name: 'Cancel' }).press('Shift+Tab');
    await page.keyboard.press('Enter');
    await sheet.getByText('Agency', { exact: true }).waitFor({ state: 'detached' });
    expect(await page.locator(':focus').textContent()).toBe('Tokens');
    await expect.poll(async () => (await told()).status).toBe(401);
    // The administrator's own token has no such button, so that nobody revokes it by mistake.
    expect(await sheet.getByRole('button', { name: 'Revoke Manager' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

// Only in the full run. In `npm test`, http/guards checks the rights, and the test above the form.
test.runIf(IS_FULL)(
  'a manager of one program is told what is wrong, in French and by keyboard',
  async () => {
    const expiresAt = new Date(Date.now() + 20 * 86_400_000);
    const order = { role: 'admin', programIds: [1], locale: 'fr', mayManageTokens: true } as const;
    const manager = await demo.stage.service.token({ ...order, expiresAt });
    await visit(demo.stage, { viewport: { width: 390, height: 844 } }, async ({ page }) => {
      await signIn(page, manager);
      await page.getByRole('button', { name: 'Accès', exact: true }).press('Enter');
      const sheet = page.getByRole('dialog', { name: 'Jetons d’accès' });
      await sheet.getByLabel('ID des diffuseurs').fill('100');
      expect(
        await sheet.getByLabel('Durée de validité').locator('option').allTextContents(),
      ).toEqual(['7 jours', 'Aussi longtemps que le vôtre']);
      await sheet.getByLabel('ID des programmes').fill('2');
      await page.keyboard.press('Enter');
      await sheet.getByText('Cela donnerait plus de droits que vous n’en avez.').waitFor();
      await expectAccessible(page, 'refused', OPEN_SHEET);
      await sheet.getByLabel('ID des programmes').fill('1');
      await page.keyboard.press('Enter');
      await sheet.getByText('Copiez-le maintenant.').waitFor();
      const heading = await page.evaluate<string>('document.activeElement.textContent');
      expect(heading).toContain('Jeton créé');
    });
  },
);

test('an access that ends leads to the sign-in page with the reason, and the next sign-in discards saved views', async () => {
  const { service } = demo.stage;
  const { token, record } = await service.operator.createToken({
    role: 'admin',
    publisherIds: [],
    programIds: [],
    locale: 'en',
  });
  await visit(demo.stage, {}, async ({ page }) => {
    await signIn(page, token);
    await page.locator(FIRST_ROW).waitFor();
    await page.evaluate(LEAVE_VIEWS);
    await service.operator.revokeToken(record.id);
    // The service caches tokens, and refuses a revoked one within five seconds.
    const status = async () =>
      (
        await fetch(`${demo.stage.address}api/me`, {
          headers: { authorization: `Bearer ${token}` },
        })
      ).status;
    await expect.poll(status).toBe(401);
    const isTold = page.getByText('Your access was revoked.').waitFor();
    // A key press sends a request. A click could miss while the page loads and moves.
    // On a busy machine, the refusal of an earlier request may show the reason first.
    await Promise.race([
      isTold,
      page.getByRole('radio', { name: 'Leads', exact: true }).press('Space'),
    ]);
    await isTold;
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    // Other tabs may still be signed in and need their views.
    expect(await onDevice(page)).toContain('transactions.views');
    await signIn(page, demo.tokens.affiliate_en_token);
    await page.getByRole('button', { name: /Account/ }).waitFor();
    expect(await onDevice(page)).not.toContain('transactions.views');
  });
});

test('no response of the service is left on the disk of the browser', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'profile-'));
  const context = await openPersistentBrowser(profile);
  const page = await context.newPage();
  await page.goto(demo.stage.address);
  await signIn(page, demo.tokens.affiliate_token);
  await page.locator(FIRST_ROW).waitFor();
  if (IS_FULL) {
    await page.reload();
    await page.locator(FIRST_ROW).waitFor();
  }
  await context.close();
  const kept = await contentsOf(join(profile, 'Default/Cache'));
  expect(kept).toContain('/assets/');
  expect(kept).not.toContain('/api/');
  expect(kept).not.toContain(demo.tokens.affiliate_token.slice(4));
  await rm(profile, { recursive: true });
});

/** The concatenated bytes of all files in a directory. */
async function contentsOf(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const contents = await Promise.all(
    files.map(async ({ parentPath, name }) => await readFile(join(parentPath, name), 'latin1')),
  );
  return contents.join('\n');
}

// Only in the full run. In `npm test`, the next test retries and signs out while a response is missing.
test.runIf(IS_FULL)(
  'a signed-in user can retry or sign out while the service does not answer',
  async () => {
    await visit(demo.stage, {}, async ({ page }) => {
      await signIn(page, demo.tokens.affiliate_en_token);
      await page.locator(FIRST_ROW).waitFor();
      await page.route('**/api/me', async (route) => await route.abort());
      await page.reload();
      await page.getByText('The service does not answer.').waitFor();
      await page.unroute('**/api/me');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator(FIRST_ROW).waitFor();
      await page.route('**/api/me', async (route) => await route.abort());
      await page.reload();
      await page.getByText('The service does not answer.').waitFor();
      await page.unroute('**/api/me');
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      await page.locator(FIRST_ROW).waitFor();
      await page.route('**/api/me', async (route) => await route.abort());
      await page.reload();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('textbox', { name: 'Access token' }).waitFor();
      expect(await page.evaluate('sessionStorage.length')).toBe(0);
    });
  },
);

test('a sign-out also cancels a running sign-in', async () => {
  await visit(demo.stage, {}, async ({ page }) => {
    for (const attempt of fullOrShort(['button', 'network'], ['button'])) {
      await signIn(page, demo.tokens.affiliate_en_token);
      await page.locator(FIRST_ROW).waitFor();
      await page.route('**/api/me', async (route) => await route.abort());
      await page.reload();
      const again = page.getByRole('button', { name: 'Try again' });
      await again.waitFor();
      await page.unroute('**/api/me');
      const answer = Promise.withResolvers<void>();
      const asked = page.waitForRequest('**/api/me');
      await page.route('**/api/me', async (route) => {
        await answer.promise;
        await route.continue().catch(() => undefined);
      });
      if (attempt === 'button') await again.click();
      else await page.evaluate(`dispatchEvent(new Event('online'))`);
      await asked;
      await page.getByRole('button', { name: 'Sign out' }).click();
      answer.resolve();
      await page.getByRole('textbox', { name: 'Access token' }).waitFor();
      await page.waitForTimeout(500);
      expect(await page.locator(FIRST_ROW).count()).toBe(0);
      expect(await page.evaluate('sessionStorage.length')).toBe(0);
      await page.unroute('**/api/me');
    }
  });
});

// Only in the full run. In `npm test`, the test above signs out while a response is missing.
test.runIf(IS_FULL)('a page that fails shows the error and a sign-out button', async () => {
  await visit(demo.stage, {}, async ({ page }) => {
    const strange = { role: 'admin', time_zone: 'Mars/Olympus', locale: null };
    await page.route('**/api/me', async (route) => await route.fulfill({ json: strange }));
    await signIn(page, demo.tokens.admin_token);
    await page.getByText('Something went wrong.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('textbox', { name: 'Access token' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });
});

// Only in the full run. In `npm test`, journey.test.ts checks the choice of a language.
test.runIf(IS_FULL)('an invalid language counts as not chosen', async () => {
  await visit(demo.stage, {}, async ({ page }) => {
    await page.evaluate(`localStorage.setItem('transactions.language', 'x')`);
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });
});
