import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { DIRECTORIES } from '../../src/contract/record/directory.ts';
import { demoNames } from '../../src/demo/demo-names.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { keptPages } from '../support/pages/kept-pages.ts';
import {
  choosePeriod,
  demoStage,
  openPeriods,
  READERS,
  signIn,
  visit,
} from '../support/programs/explorer.ts';
import { everyNth } from '../support/run/sampled.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { accessibilityFaults, OPEN_SHEET, themesOf } from '../support/servers/accessibility.ts';

/** The folder of the screenshots. */
const PICTURES = 'artifacts/explorer';

/** The screenshot of the README; written on demand, so that a test run changes no file. */
const OF_THE_README = 'docs/images/explorer.png';

const IS_WANTED = process.env.README_PICTURE !== undefined;

const demo = demoStage(20_000, { settings: { currency: 'EUR' } });
const kept = keptPages(demo);

beforeAll(async () => void (await mkdir(PICTURES, { recursive: true })));

const first = (page: Page) => page.locator('[data-place="0"]');

/** A screenshot for people, in full runs only. Animations are skipped. */
async function picture(page: Page, name: string, fullPage = false): Promise<void> {
  const path = `${PICTURES}/${name}.png`;
  if (IS_FULL) await page.screenshot({ path, fullPage, animations: 'disabled' });
}

/** Expects that axe finds no fault in a part of the page. */
async function expectForEveryone(page: Page, screen: string, part = 'html'): Promise<void> {
  for (const colorScheme of themesOf(screen)) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const faults = await accessibilityFaults(page, [], part);
    expect(faults, `${screen} in ${colorScheme}`).toEqual([]);
    await picture(page, `${screen}-${colorScheme}`);
  }
}

const WORDS = {
  fr: {
    account: /Compte/,
    columns: 'Colonnes',
    download: 'Télécharger',
    performance: 'Toutes les lignes',
    table: 'Sous forme de tableau',
    nothing: 'Aucune transaction ne correspond',
    wrong: 'Ceci n’est pas un jeton',
  },
  en: {
    account: /Account/,
    columns: 'Columns',
    download: 'Download',
    performance: 'All rows',
    table: 'As a table',
    nothing: 'No transactions match',
    wrong: 'This is not an access token',
  },
} as const;

describe.each(READERS)('%s (%s, %s): every screen is accessible', (_, role, language, name) => {
  const words = WORDS[language];
  const options = { viewport: { width: 1280, height: 900 }, locale: language };
  const reader = { token: name, language, ...options };
  /** In `npm test`, each test has one of the readers, in turn. */
  const testOf = (turn: number) =>
    test.runIf(IS_FULL || READERS[turn % READERS.length]?.[3] === name);

  testOf(0)('the sign-in page, and an error on it', async () => {
    await visit(demo.stage, options, async ({ page }) => {
      await page.getByRole('textbox').waitFor();
      await expectForEveryone(page, `${language}-door`);
      await signIn(page, 'not a token');
      await page.getByText(words.wrong).waitFor();
      await expectForEveryone(page, `${language}-door-refused`);
    });
  });

  testOf(1)('the page, its table of numbers, and a highlighted bar', async () => {
    await kept(reader, async ({ page, complaints }) => {
      await first(page).waitFor();
      await page.locator('.group').first().waitFor();
      expect(await page.evaluate('document.documentElement.lang')).toBe(language);
      await picture(page, `${role}-${language}-page`);
      await page.locator('.bar').nth(12).hover();
      await page.locator('.tip').waitFor();
      await picture(page, `${role}-${language}-bar`);
      await page.getByText(words.table).click();
      await page.locator('.bar').nth(12).hover();
      await expectForEveryone(page, `${role}-${language}-numbers`);
      await picture(page, `${role}-${language}-whole-dark`, true);
      expect(complaints).toEqual([]);
    });
  });

  testOf(2)('its sheets: a transaction, the columns, downloads, the account', async () => {
    // In `npm test` with few days, because axe visits each element of the page behind a sheet.
    const search = fullOrShort('', '?type=sales&period=last-7-days');
    await kept({ ...reader, search }, async ({ page }) => {
      await first(page).click();
      await page.locator('dialog dt').first().waitFor();
      await expectForEveryone(page, `${role}-${language}-row`, OPEN_SHEET);
      await page.keyboard.press('Escape');
      await openPeriods(page);
      await expectForEveryone(page, `${role}-${language}-periods`, OPEN_SHEET);
      await page.keyboard.press('Escape');
      for (const [screen, button] of [
        ['columns', words.columns],
        ['download', words.download],
        ['performance', words.performance],
        ['account', words.account],
      ] as const) {
        await page.getByRole('button', { name: button }).click();
        await page.getByRole('dialog').waitFor();
        await expectForEveryone(page, `${role}-${language}-${screen}`, OPEN_SHEET);
        await page.keyboard.press('Escape');
      }
      await page.keyboard.press('?');
      await page.locator(`${OPEN_SHEET} kbd`).first().waitFor();
      await expectForEveryone(page, `${role}-${language}-keys`, OPEN_SHEET);
      await page.keyboard.press('Escape');
    });
  });

  testOf(3)('an empty list', async () => {
    const search = '?type=sales&start_date=2026-01-01&end_date=2026-01-31&clickid=none';
    await kept({ ...reader, search }, async ({ page }) => {
      await page.getByText(words.nothing).waitFor();
      await expectForEveryone(page, `${role}-${language}-empty`, '#list');
    });
  });
});

const PHONE = { width: 390, height: 844 };

const LAST_DAYS = '?type=sales&period=last-30-days';

describe('loading states and errors are accessible', () => {
  const options = { viewport: { width: 1280, height: 900 }, locale: 'fr' };

  test.runIf(IS_FULL)('the page before its first response', async () => {
    await visit(demo.stage, options, async ({ page }) => {
      const waiting = Promise.withResolvers<void>();
      await page.route('**/transactions/summary?*', async (route) => {
        await waiting.promise;
        await route.continue();
      });
      await signIn(page, demo.tokens.affiliate_token);
      await page.locator('.waiting').waitFor();
      await expectForEveryone(page, 'state-loading');
      waiting.resolve();
      await first(page).waitFor();
    });
  });

  test.runIf(IS_FULL)(
    'a query with unknown values, a filter with a wrong one, and a forbidden query',
    async () => {
      const search = `${LAST_DAYS}&country=france&status=9`;
      await kept({ token: 'affiliate_token', ...options, search }, async ({ page }) => {
        await page.getByText('france').first().waitFor();
        await expectForEveryone(page, 'state-unread', '.notice');
        const program = page.getByRole('combobox', { name: 'Programme', exact: true });
        await program.fill('inconnu');
        await page.keyboard.press('Enter');
        await page.getByText('Uniquement des chiffres').waitFor();
        await expectForEveryone(page, 'state-fault', 'search');
        await page.goto(`${demo.stage.address}${LAST_DAYS}&publisher_id=1`);
        await page.getByText('Ce site n’est pas l’un des vôtres.').first().waitFor();
        await expectForEveryone(page, 'state-forbidden');
      });
    },
  );

  /** Downloads the list as JSON; returns the sheet with the progress. */
  async function beginDownload(page: Page): Promise<Locator> {
    await signIn(page, demo.tokens.affiliate_token);
    await first(page).waitFor();
    await page.getByRole('button', { name: 'Télécharger' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('radio', { name: /^JSON/ }).check();
    await sheet.getByRole('button', { name: 'Télécharger' }).click();
    return sheet;
  }

  // Only in the full run. In `npm test`, list.test.ts and downloads.test.ts check texts, and axe the sheets above.
  test.runIf(IS_FULL)(
    'a running download, a failed, a cancelled and a complete one, and a text that cannot be copied',
    async () => {
      await visit(demo.stage, { ...options, search: LAST_DAYS }, async ({ page }) => {
        const waiting = Promise.withResolvers<void>();
        await page.route('**/transactions?*format=json*', async (route) => {
          await waiting.promise;
          await route.fulfill({ contentType: 'application/json', body: '[\n{"transaction_id":1}' });
        });
        const sheet = await beginDownload(page);
        await sheet.getByRole('progressbar').waitFor();
        await expectForEveryone(page, 'state-downloading', OPEN_SHEET);
        waiting.resolve();
        await sheet.getByText(/^Le téléchargement de .+ a échoué\./).waitFor();
        await expectForEveryone(page, 'state-broken', OPEN_SHEET);
        await page.setViewportSize(PHONE);
        await picture(page, 'phone-390-broken');
        await page.setViewportSize(options.viewport);
        await page.route('**/transactions?*format=json*', () => undefined);
        await sheet.getByRole('button', { name: 'Télécharger' }).click();
        await sheet.getByRole('button', { name: 'Annuler' }).click();
        await sheet.getByText('Annulé').waitFor();
        await expectForEveryone(page, 'state-cancelled', OPEN_SHEET);
        await sheet.getByRole('radio', { name: /^CSV A/ }).check();
        await sheet.getByRole('button', { name: 'Télécharger' }).click();
        await sheet.getByText('Complet').waitFor();
        await expectForEveryone(page, 'state-complete', OPEN_SHEET);
        await page.keyboard.press('Escape');
        await page.evaluate(WITHOUT_CLIPBOARD);
        await page.setViewportSize(PHONE);
        await first(page).click();
        const whole = sheet.getByRole('button', { name: 'Copier en JSON' });
        const field = sheet.getByRole('button', { name: 'Copier Transaction', exact: true });
        const before = [await whole.boundingBox(), (await field.boundingBox())?.width];
        await whole.click();
        await field.click();
        const says = 'Le navigateur ne permet pas de copier. Sélectionnez le texte.';
        await expect.poll(async () => await sheet.getByText(says).count()).toBe(2);
        expect([await whole.boundingBox(), (await field.boundingBox())?.width]).toEqual(before);
        expect(await page.evaluate(WIDER_THAN_ITS_PLACE)).toEqual([]);
        await expectForEveryone(page, 'state-uncopied', OPEN_SHEET);
      });
    },
  );

  // Only in the full run. In `npm test`, list.test.ts and sign-in.test.ts check what the page says.
  test.runIf(IS_FULL)(
    'no network, a token that cannot be checked, and a page that failed',
    async () => {
      await visit(demo.stage, { ...options, search: LAST_DAYS }, async ({ page }) => {
        await signIn(page, demo.tokens.affiliate_token);
        await first(page).waitFor();
        await page.context().setOffline(true);
        await page.getByRole('radio', { name: 'Leads' }).check({ force: true });
        await page.getByText('Le service est injoignable.').waitFor();
        await expectForEveryone(page, 'state-offline', '.notice');
        await page.context().setOffline(false);
        await page.route('**/api/me', async (route) => await route.abort());
        await page.reload();
        await page.getByText('Le service ne répond pas.').waitFor();
        await expectForEveryone(page, 'state-held-up');
        await page.unroute('**/api/me');
        const strange = { role: 'admin', time_zone: 'Mars/Olympus', locale: null };
        await page.route('**/api/me', async (route) => await route.fulfill({ json: strange }));
        await page.reload();
        await page.getByText('Quelque chose n’a pas fonctionné.').waitFor();
        await expectForEveryone(page, 'state-failed');
      });
    },
  );

  // Only in the full run. In `npm test`, axe checks the loaded list on the screens above and the phone below.
  test.runIf(IS_FULL)('rows that have changed since they were counted', async () => {
    const search = '?type=leads&start_date=2019-01-10&end_date=2019-01-10';
    const add = async (id: number) =>
      await demo.stage.service.database.engine.execute(
        plainStatement(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, created_at, updated_at)
VALUES ('leads', ${id}, 10, 100, 1, 1, '2019-01-10 12:00:00', '2019-01-10 12:00:00')`),
      );
    await add(1);
    await visit(demo.stage, { ...options, search }, async ({ page }) => {
      await page.route('**/admin/transactions?*', async (route) => {
        await add(2);
        await route.continue();
      });
      await signIn(page, demo.tokens.admin_token);
      await page.getByText('Les transactions ont changé').waitFor();
      await page.getByRole('heading', { name: '2 transactions' }).waitFor();
      await page.locator('#list').scrollIntoViewIfNeeded();
      await expectForEveryone(page, 'state-reread', '#list');
    });
  });

  test.each(
    everyNth(
      [
        ['an administrator', 'admin_token'],
        ['an affiliate', 'affiliate_token'],
      ] as const,
      2,
      1,
    ),
  )('the screens of %s on a phone', async (_, name) => {
    const reader = { token: name, ...options, viewport: PHONE, search: LAST_DAYS };
    await kept(reader, async ({ page }) => {
      const who = name.replace('_token', '');
      await first(page).waitFor();
      await page.locator('.group').first().waitFor();
      await expectForEveryone(page, `phone-${who}-page`);
      for (const width of [320, PHONE.width]) {
        await page.setViewportSize({ ...PHONE, width });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
      const bottoms = await page.evaluate<readonly number[]>(BOTTOMS);
      expect(bottoms).toHaveLength(2);
      expect(Math.max(...bottoms)).toBeLessThanOrEqual(PHONE.height);
      expect(await page.evaluate(IS_CHOSEN_KIND_IN_SIGHT)).toBe(true);
      await page.getByRole('button', { name: 'Filtres', exact: true }).click();
      const sheet = page.getByRole('dialog', { name: 'Filtres' });
      await sheet.getByRole('combobox', { name: 'Programme', exact: true }).waitFor();
      await expectForEveryone(page, `phone-${who}-filters`, OPEN_SHEET);
      await sheet.getByRole('button', { name: 'Validé' }).click();
      await sheet.getByRole('button', { name: 'Voir les résultats' }).click();
      await page.getByRole('button', { name: 'Filtres (1)' }).waitFor();
      // The other sheets of the two readers differ only in their rows, so those of one reader are enough.
      if (who === 'admin') return;
      await openPeriods(page);
      expect(await page.evaluate(WIDER_THAN_ITS_PLACE)).toEqual([]);
      await expectForEveryone(page, 'phone-periods', OPEN_SHEET);
      await page.keyboard.press('Escape');
      // In `npm test`, the same sheets are checked on a wide screen.
      if (!IS_FULL) return;
      await first(page).click();
      await page.locator('dialog dt').first().waitFor();
      await expectForEveryone(page, `phone-${who}-row`, OPEN_SHEET);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Télécharger' }).click();
      await expectForEveryone(page, `phone-${who}-download`, OPEN_SHEET);
    });
  });
});

/** Where the earnings and the bars of the chart end, in pixels from the top of the page. */
const BOTTOMS = `[...document.querySelectorAll('.earnings, .bars')]
  .map((one) => one.getBoundingClientRect().bottom + scrollY)`;

const IS_CHOSEN_KIND_IN_SIGHT = `(() => {
  const { left, right } = document.querySelector('.page > .segments :checked').getBoundingClientRect();
  return left >= 0 && right <= innerWidth;
})()`;

/** Removes the clipboard, as browsers do on plain HTTP. */
const WITHOUT_CLIPBOARD = `Object.defineProperty(navigator, 'clipboard', { value: undefined })`;

/** The visible elements of a sheet or the date picker whose content is too wide for them. */
const WIDER_THAN_ITS_PLACE = `[...document.querySelectorAll('.sheet-body, .sheet-body *, .period-dialog')]
  .filter((one) => !one.matches('.hidden') && one.scrollWidth > one.clientWidth && one.clientWidth > 0)
  .map((one) => one.outerHTML.slice(0, 80))`;

// Only in the full run. In `npm test`, the screens on a phone are narrowed to 320 pixels.
test.runIf(IS_FULL).each([320, 390, 768])(
  'everything fits a screen of %i pixels',
  async (width) => {
    const viewport = { width, height: 800 };
    await visit(demo.stage, { viewport }, async ({ page }) => {
      await picture(page, `phone-${width}-door`);
      await signIn(page, demo.tokens.affiliate_en_token);
      await first(page).waitFor();
      await page.locator('.group').first().waitFor();
      const widths = await page.evaluate<number>('document.documentElement.scrollWidth');
      await picture(page, `phone-${width}`, true);
      expect(widths).toBeLessThanOrEqual(width);
      await first(page).click();
      await page.locator('dialog dt').first().waitFor();
      await picture(page, `phone-${width}-row`);
    });
  },
);

// Only in the full run. In `npm test`, list.test.ts checks that a request is retried once the network is back.
test.runIf(IS_FULL)(
  'the page reports that the service does not answer, and retries as soon as it can',
  async () => {
    await visit(demo.stage, {}, async ({ page }) => {
      await signIn(page, demo.tokens.affiliate_en_token);
      await first(page).waitFor();
      await openPeriods(page);
      await page.keyboard.press('Escape');
      await page.context().setOffline(true);
      await page.getByRole('radio', { name: 'Leads' }).check({ force: true });
      const alert = page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' });
      await alert.first().waitFor();
      // The last known earnings, which are of all kinds, stay visible but dimmed.
      await choosePeriod(page, 'Last 7 days');
      await page.locator('.earnings.old').waitFor();
      expect(await page.locator('.earnings-value').textContent()).toMatch(/\d/);
      await choosePeriod(page, 'Last 30 days');
      await picture(page, 'offline', true);
      await page.context().setOffline(false);
      await first(page).waitFor();
      expect(await alert.count()).toBe(0);
    });
  },
);

test('bars keep their colours in forced colours, and outlines show what is selected', async () => {
  await kept({ token: 'affiliate_token', locale: 'fr' }, async ({ page }) => {
    const styleOf = async (selector: string, property: string) =>
      await page.evaluate<string>(
        `getComputedStyle(document.querySelector('${selector}')).${property}`,
      );
    await page.locator('.bar .validated').first().waitFor({ state: 'attached' });
    await first(page).waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    const colour = await styleOf('.bar .validated', 'backgroundColor');
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await styleOf('.bar .validated', 'backgroundColor')).toBe(colour);
    await page.getByRole('grid').focus();
    for (const selected of ['tr.active', '.segments :checked + span', '.total:has(:checked)']) {
      expect(await styleOf(selected, 'outlineStyle'), selected).toBe('solid');
    }
    await page.emulateMedia({ forcedColors: 'none' });
  });
});

// Only in the full run. In `npm test`, journey.test.ts chooses the language, and the screens above have both themes.
test.runIf(IS_FULL)('the theme and the language can be chosen', async () => {
  await visit(demo.stage, { colorScheme: 'light' }, async ({ page }) => {
    await page.getByLabel('Theme').selectOption('dark');
    await page.getByLabel('Language').selectOption('fr');
    await page.getByRole('heading', { name: 'Voir vos transactions' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Voir vos transactions' }).waitFor();
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe('rgb(14, 18, 24)');
  });
});

/** Imports the names of the demo. The tests above run without them. */
async function importNames(): Promise<void> {
  for (const of of DIRECTORIES) {
    const file = { path: `${PICTURES}/${of}.csv`, name: `${of}.csv` };
    await writeFile(file.path, demoNames()[of]);
    await demo.stage.service.operator.importDirectory({ of, files: [file], replace: false }, {});
  }
}

// Only in the full run. In `npm test`, docs/examples.test.ts reads the README.
test.runIf(IS_FULL)('the README shows a screenshot of the page', async () => {
  expect(await readFile('README.md', 'utf8')).toContain(`(${OF_THE_README})`);
  expect((await readFile(OF_THE_README)).subarray(1, 4).toString()).toBe('PNG');
});

// The screenshot is for people; the other tests check what it shows.
test.runIf(IS_FULL || IS_WANTED)('a screenshot is taken for the README', async () => {
  await importNames();
  const path = IS_WANTED ? OF_THE_README : `${PICTURES}/readme.png`;
  const viewport = { width: 1280, height: 1420 };
  await visit(
    demo.stage,
    { viewport, search: '?type=sales&period=last-30-days' },
    async ({ page }) => {
      await signIn(page, await demo.stage.service.token({ locale: 'en' }));
      await first(page).waitFor();
      await page.locator('.group').first().waitFor();
      await page.locator('.shade').first().waitFor({ state: 'detached' });
      await page.mouse.move(0, 0);
      await page.screenshot({ path, animations: 'disabled' });
    },
  );
  expect((await readFile(path)).subarray(1, 4).toString()).toBe('PNG');
});
