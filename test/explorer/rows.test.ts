import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { plainStatement } from '../../src/plan/sql.ts';
import { keptPages, type Look } from '../support/pages/kept-pages.ts';
import {
  choosePeriod,
  demoStage,
  signIn,
  type Visit,
  visit,
} from '../support/programs/explorer.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

const demo = demoStage(20_000);
const kept = keptPages(demo);

const SEARCH = '?type=sales&start_date=2020-01-01&end_date=2030-12-31';

/** An affiliate's page in English, which other tests use too. */
const look = async (options: Omit<Look, 'token'>, what: (visit: Visit) => Promise<void>) =>
  await kept({ token: 'affiliate_en_token', search: SEARCH, ...options }, what);

const first = (page: Page) => page.locator('[data-place="0"]');
const sheetOf = (page: Page) => page.getByRole('dialog');

async function open(page: Page, token: string): Promise<void> {
  await signIn(page, token);
  await first(page).waitFor();
}

const addLead = async (id: number, createdAt: string) =>
  await demo.stage.service.database.engine.execute(
    plainStatement(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, created_at, updated_at)
VALUES ('leads', ${id}, 10, 100, 1, 1, '${createdAt}', '${createdAt}')`),
  );

/** Holds back the counts by day until they are released. */
async function slowCounts(page: Page): Promise<() => void> {
  const line = Promise.withResolvers<void>();
  await page.route(/group_by=day(&|$)/, async (route) => {
    await line.promise;
    await route.continue().catch(() => undefined);
  });
  return line.resolve;
}

describe('rows of the previous query', () => {
  // Only in the full run. In `npm test`, questions.test.ts checks that numbers of another kind disappear.
  test.runIf(IS_FULL)('of another kind disappear at once', async () => {
    await look({}, async ({ page }) => {
      await first(page).waitFor();
      const go = await slowCounts(page);
      await page.getByRole('radio', { name: 'Leads' }).check({ force: true });
      await page.locator('.waiting').waitFor();
      expect(await page.locator('.grid').count()).toBe(0);
      await page.getByRole('heading', { name: 'Transactions', exact: true, level: 2 }).waitFor();
      go();
      await first(page).waitFor();
    });
  });

  // Only in the full run. In `npm test`, questions.test.ts checks that no number of another kind is shown.
  test.runIf(IS_FULL)('of the same kind are dimmed and cannot be opened', async () => {
    await look({}, async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await first(page).waitFor();
      const go = await slowCounts(page);
      await choosePeriod(page, 'Last 30 days');
      await page.locator('.grid-frame.old').waitFor();
      for (const part of ['.grid-frame', '#list-title']) {
        expect(
          await page.evaluate(`getComputedStyle(document.querySelector('${part}')).opacity`),
        ).toBe('0.5');
      }
      await first(page).click();
      await page.getByRole('grid').press('Enter');
      expect(await sheetOf(page).count()).toBe(0);
      go();
      await page.locator('.grid-frame.old').waitFor({ state: 'detached' });
      await first(page).click();
      await sheetOf(page).waitFor();
    });
  });
});

/** Language of the browser, chosen language, width and role, the longest dates first. */
const DATES = [
  ['en-US', undefined, 1440, 'admin'],
  ['fr-FR', 'en', 1440, 'affiliate'],
  ['fr-FR', undefined, 1280, 'affiliate'],
  ['en-GB', undefined, 1280, 'admin'],
  ['en-US', undefined, 390, 'affiliate'],
] as const;

// Only in the full run. In `npm test`, journey.test.ts shows dates, and screens.test.ts a phone without an overflow.
test.runIf(IS_FULL).each(DATES)(
  'dates in a browser in %s, language %s, at %i pixels are not cut off',
  async (locale, language, width, role) => {
    const options = { search: SEARCH, locale, viewport: { width, height: 900 } };
    await visit(demo.stage, options, async ({ page }) => {
      if (language !== undefined) await page.getByLabel(/Language|Langue/).selectOption(language);
      await open(
        page,
        await demo.stage.service.token(
          role === 'admin' ? {} : { role, publisherIds: demo.tokens.affiliate_publisher_ids },
        ),
      );
      const cells = await page.evaluate<readonly (readonly [string, string, number])[]>(
        `[...document.querySelectorAll('td.date > [title]')].map((one) => [one.textContent, one.title, one.parentElement.scrollWidth - one.parentElement.clientWidth])`,
      );
      expect(cells.length).toBeGreaterThan(5);
      for (const [text, title, beyond] of cells) {
        expect(beyond, text).toBeLessThanOrEqual(0);
        expect(title).toBe(text);
        expect(text).toMatch(
          locale === 'fr-FR' && language === undefined ? /\d\d:\d\d:\d\d$/ : /\d\d:\d\d/,
        );
      }
      if (width === 1440) expect(await page.locator('.grid-frame.more').count()).toBe(0);
    });
  },
);

describe('the opened transaction', () => {
  const search = '?type=leads&start_date=2019-02-01&end_date=2019-02-28';

  // Only in the full run. In `npm test`, questions.test.ts opens rows, and view.test.ts reads the row in an address.
  test.runIf(IS_FULL)('stays open when a newer one is added to the list', async () => {
    await addLead(11, '2019-02-10 12:00:00');
    await addLead(12, '2019-02-09 12:00:00');
    await visit(demo.stage, { search }, async ({ page }) => {
      await open(page, await demo.stage.service.token({ locale: 'en' }));
      await first(page).click();
      const title = (id: number) =>
        sheetOf(page).getByRole('heading', { name: `Transaction ${id}` });
      await title(11).waitFor();
      await addLead(13, '2019-02-11 12:00:00');
      // A refresh behind the sheet, as after a change of the list.
      await page.evaluate(`document.querySelector('.freshness button').click()`);
      await page.getByText('3 transactions').waitFor();
      await page.locator('[data-place="2"]').waitFor();
      await title(11).waitFor();
      await sheetOf(page).getByRole('button', { name: 'Next' }).click();
      await title(12).waitFor();
      await sheetOf(page).getByRole('button', { name: 'Previous' }).click();
      await title(11).waitFor();
      await sheetOf(page).getByRole('button', { name: 'Previous' }).click();
      await title(13).waitFor();
    });
  });

  // Only in the full run. In `npm test`, questions.test.ts opens rows at both ends of a list.
  test.runIf(IS_FULL)(
    'has an address, also outside of the list, and keyboard shortcuts open the rows next to it',
    async () => {
      await visit(demo.stage, { search: `${SEARCH}&row=12` }, async ({ page }) => {
        await open(page, await demo.stage.service.token({ locale: 'en' }));
        const title = async () =>
          await sheetOf(page).getByRole('heading', { level: 2 }).textContent();
        await page.getByText('This transaction does not exist').waitFor();
        await page.keyboard.press('Escape');
        await page.waitForURL((address) => !address.searchParams.has('row'));
        await first(page).click();
        const opened = await title();
        await page.keyboard.press('j');
        await expect.poll(title).not.toBe(opened);
        const next = new URL(page.url()).searchParams.get('row');
        expect(await title()).toBe(`Transaction ${next}`);
        await page.keyboard.press('?');
        await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
        await page.keyboard.press('Escape');
        await page.keyboard.press('ArrowUp');
        await expect.poll(title).toBe(opened);
        const link = page.url().replace(/start_date=[^&]*/, 'start_date=2030-12-31');
        await page.goto(link);
        await sheetOf(page).locator('.row-money').waitFor();
        await sheetOf(page).getByText('Not among the loaded rows').waitFor();
        expect(await title()).toBe(opened);
        await page.keyboard.press('k');
        expect(await title()).toBe(opened);
      });
    },
  );

  // Only in the full run. In `npm test`, journey.test.ts compares the dates of a row with the API.
  test.runIf(IS_FULL)('names the time zone of its dates, on a phone too', async () => {
    await look({ viewport: { width: 390, height: 800 } }, async ({ page }) => {
      await first(page).click();
      await sheetOf(page).getByText('All times in Europe/Paris').waitFor();
    });
  });

  // Only in the full run. In `npm test`, downloads.test.ts checks the focus after a retry.
  test.runIf(IS_FULL)('keeps the focus after a retry', async () => {
    await visit(demo.stage, { search: SEARCH }, async ({ page }) => {
      await open(page, demo.tokens.affiliate_en_token);
      await page.route(/\/sales\/\d+$/, async (route) => await route.abort());
      await first(page).click();
      const again = sheetOf(page).getByRole('button', { name: 'Try again' });
      await again.waitFor();
      await page.unroute(/\/sales\/\d+$/);
      await again.press('Enter');
      await again.waitFor({ state: 'detached' });
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Previous');
    });
  });
});

// Only in the full run. In `npm test`, search/search.test.ts checks where a text is searched.
test.runIf(IS_FULL)(
  'the search box finds a transaction of any kind, and says where it searched',
  async () => {
    await look({}, async ({ page, asked }) => {
      await first(page).waitFor();
      await first(page).click();
      const id = new URL(page.url()).searchParams.get('row') ?? '';
      await page.keyboard.press('Escape');
      const box = page.getByRole('combobox', { name: 'Search by ID or name' });
      await page.keyboard.press('/');
      await page.keyboard.type('no such value');
      await page.getByText('Nothing found for “no such value”').waitFor();
      expect(await page.locator('.search-results').textContent()).toContain('1 Jan 2020');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      expect(await box.inputValue()).toBe('');
      await page.keyboard.type(id);
      await page.keyboard.press('Enter');
      await sheetOf(page)
        .getByRole('heading', { name: `Transaction ${id}` })
        .waitFor();
      expect(page.url()).toMatch(new RegExp(`row=${id}$`));
      await page.keyboard.press('Escape');
      await expect.poll(async () => await box.and(page.locator(':focus')).count()).toBe(1);
      const { length } = asked;
      // Types both digits in one task, so that the page cannot search between them.
      await page.evaluate(`for (const one of '12') document.execCommand('insertText', false, one)`);
      expect(await box.inputValue()).toBe('12');
      await page.locator('.search-results [role="status"]', { hasText: /result/ }).waitFor();
      expect(asked.slice(length).filter((url) => /[=&](subid|clickid)=1(&|$)/.test(url))).toEqual(
        [],
      );
    });
  },
);

// Only in the full run. In `npm test`, questions.test.ts opens rows at their positions in the list.
test.runIf(IS_FULL)(
  'a transaction that was opened before has no position in a list without it',
  async () => {
    await look({}, async ({ page }) => {
      await page.locator('[data-place="3"]').click();
      const id = new URL(page.url()).searchParams.get('row') ?? '';
      await page.keyboard.press('Escape');
      const address = new URL(page.url());
      address.searchParams.set('row', id);
      const earlier = new Date(Date.now() - 60 * 86_400_000).toISOString().slice(0, 10);
      address.searchParams.set('end_date', earlier);
      await page.evaluate(
        `history.pushState(null, '', '${address}'); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await sheetOf(page)
        .getByRole('heading', { name: `Transaction ${id}` })
        .waitFor();
      await sheetOf(page).getByText('Not among the loaded rows').waitFor();
    });
  },
);

// Only in the full run. In `npm test`, saved-views.test.ts stores views, and sign-in.test.ts checks their removal.
test.runIf(IS_FULL)(
  'a view is saved, is shown when the page opens, and is forgotten with the sign-in',
  async () => {
    const saved = `${SEARCH}&status=1`;
    const stored = `Object.keys(localStorage).filter((key) => key.startsWith('transactions.views'))`;
    await visit(demo.stage, { search: `${saved}&row=1` }, async ({ page }) => {
      await open(page, demo.tokens.affiliate_en_token);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Saved views' }).click();
      await sheetOf(page).getByRole('textbox', { name: 'Name' }).fill('Validated');
      await page.keyboard.press('Enter');
      await sheetOf(page)
        .getByRole('button', { name: 'Open Validated when the page opens' })
        .click();
      await sheetOf(page).getByRole('button', { name: 'Rename Validated' }).click();
      await page.keyboard.type(' sales');
      await page.keyboard.press('Enter');
      await sheetOf(page).getByRole('button', { name: 'Delete Validated sales' }).waitFor();
      await page.goto(demo.stage.address);
      await page.getByRole('button', { name: 'View: Validated sales' }).waitFor();
      expect(new URL(page.url()).search).toBe(saved);
      expect(await page.evaluate(stored)).toHaveLength(1);
      await page.getByRole('button', { name: 'Account' }).click();
      await sheetOf(page).getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('textbox', { name: /token/i }).waitFor();
      expect(await page.evaluate(stored)).toEqual([]);
    });
  },
);

// Only in the full run. In `npm test`, journey.test.ts opens a row and copies its values.
describe.runIf(IS_FULL)('text can be selected', () => {
  test('in a cell, without opening the row', async () => {
    await look({}, async ({ page }) => {
      await first(page).waitFor();
      // Content above the list that loads later would move the list.
      await page.locator('.top-groups .group').nth(12).waitFor();
      const date = first(page).locator('td.date > span');
      await date.scrollIntoViewIfNeeded();
      const cell = await date.boundingBox();
      if (cell === null) throw new Error('There is no cell.');
      await page.mouse.move(cell.x + 2, cell.y + cell.height / 2);
      await page.mouse.down();
      await page.mouse.move(cell.x + 80, cell.y + cell.height / 2, { steps: 5 });
      await page.mouse.up();
      expect(await page.evaluate<string>('String(getSelection())')).toMatch(/\d/);
      expect(await sheetOf(page).count()).toBe(0);
      await page.evaluate('getSelection().removeAllRanges()');
      await first(page).click();
      await sheetOf(page).waitFor();
    });
  });

  test('from a sheet beyond its edge, without closing it; a click outside closes it', async () => {
    await look({}, async ({ page }) => {
      await first(page).waitFor();
      await first(page).click();
      const value = await sheetOf(page).locator('dd').first().boundingBox();
      if (value === null) throw new Error('There is no value.');
      await page.mouse.move(value.x + 40, value.y + 10);
      await page.mouse.down();
      await page.mouse.move(100, 300, { steps: 5 });
      await page.mouse.up();
      await page.waitForTimeout(100);
      expect(await sheetOf(page).count()).toBe(1);
      await page.mouse.click(100, 300);
      await sheetOf(page).waitFor({ state: 'detached' });
    });
  });
});

// Only in the full run. In `npm test`, screens.test.ts checks the accessibility of the list.
test.runIf(IS_FULL)(
  'the table has its ARIA roles and a live region, and is not hidden by the top bar',
  async () => {
    await look({}, async ({ page }) => {
      await first(page).waitFor();
      const grid = page.getByRole('grid');
      expect(await grid.locator('tr:not([role="row"])').count()).toBe(0);
      expect(await grid.locator('th:not([role="columnheader"])').count()).toBe(0);
      expect(await grid.locator('td:not([role="gridcell"])').count()).toBe(0);
      expect(await page.locator('#list > [role="status"]').count()).toBe(1);
      await page.locator('.skip').focus();
      await page.keyboard.press('Enter');
      const title = await page.locator('#list-title').boundingBox();
      const bar = await page.locator('.top').boundingBox();
      expect(title?.y ?? 0).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
    });
  },
);

// Only in the full run. In `npm test`, list.test.ts checks that the list shows when it was loaded.
test.runIf(IS_FULL)('a list that was loaded yesterday shows the date', async () => {
  const search = '?type=sales&start_date=2020-01-01&end_date=2030-12-31';
  await visit(demo.stage, { search }, async ({ page }) => {
    await page.clock.setFixedTime('2026-07-01T12:05:06Z');
    await page.reload();
    await open(page, demo.tokens.affiliate_en_token);
    await page.getByText('as of 14:05:06').waitFor();
    await page.clock.setFixedTime('2026-07-01T22:00:00Z');
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.getByText('as of 1 Jul 2026, 14:05:06').waitFor();
  });
});
