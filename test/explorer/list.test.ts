import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { plainStatement } from '../../src/plan/sql.ts';
import { keptPages, type Look } from '../support/pages/kept-pages.ts';
import { demoStage, signIn, type Visit, visit } from '../support/programs/explorer.ts';
import { IS_FULL } from '../support/run/test-extent.ts';
import { accessibilityFaults } from '../support/servers/accessibility.ts';

const demo = demoStage(20_000);
const kept = keptPages(demo);

const SEARCH = '?type=sales&start_date=2020-01-01&end_date=2030-12-31';

/** An affiliate's page in English, which other tests use too. A test that changes columns must reset them. */
const look = async (options: Omit<Look, 'token'>, what: (visit: Visit) => Promise<void>) =>
  await kept({ token: 'affiliate_en_token', search: SEARCH, ...options }, what);

const first = (page: Page) => page.locator('[data-place="0"]');
const heads = async (page: Page) => await page.locator('.grid th').allInnerTexts();

async function open(page: Page, token: string): Promise<void> {
  await signIn(page, token);
  await first(page).waitFor();
}

/** The places of the rows that are in sight, at least in part. */
const ROWS_IN_SIGHT = `(() => {
  const frame = document.querySelector('.grid').getBoundingClientRect();
  return [...document.querySelectorAll('[data-place]')]
    .filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return bottom > frame.top && top < frame.bottom;
    })
    .map((row) => row.dataset.place);
})()`;

/** The label or text of the focused element. */
const focused = async (page: Page) =>
  await page.evaluate<string>(`(() => {
  const { activeElement: it } = document;
  return it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? it.textContent ?? '';
})()`);

// The oldest transactions, which no other test opens before: the page keeps those that it has read.
test('the opened transaction is requested only where a held key stops', async () => {
  await look({ search: `${SEARCH}&order=asc` }, async ({ page, asked }) => {
    const requested = () => asked.filter((url) => /\/sales\/\d+$/.test(url));
    await first(page).click();
    await page.getByRole('dialog').waitFor();
    await expect.poll(() => requested().length).toBe(1);
    // Between two microtasks no timer ends, however busy the machine is.
    const passed = await page.evaluate(`(async () => {
      const addresses = new Set();
      for (let step = 0; step < 30; step += 1) {
        const key = new KeyboardEvent('keydown', { key: 'j', bubbles: true });
        document.activeElement.dispatchEvent(key);
        await new Promise(queueMicrotask);
        addresses.add(location.href);
      }
      return addresses.size;
    })()`);
    expect(passed).toBe(30);
    const last = new URL(page.url()).searchParams.get('row');
    await page.getByRole('dialog').getByText(`Transaction ${last}`).waitFor();
    await expect.poll(() => requested().at(-1)).toMatch(new RegExp(`/sales/${last}$`));
    expect(requested()).toHaveLength(2);
  });
});

describe('the keyboard focus stays', () => {
  test('after the order is reversed, and the list starts at the top', async () => {
    await look({}, async ({ page }) => {
      await first(page).waitFor();
      await page.getByRole('grid').focus();
      await page.keyboard.press('End');
      await first(page).waitFor({ state: 'detached' });
      await page.locator('.grid th[aria-sort] button').focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/order=asc/);
      await first(page).waitFor();
      expect(await focused(page)).toContain('oldest first');
      await page.keyboard.press('Enter');
      await page.waitForURL((address) => !address.searchParams.has('order'));
      expect(await focused(page)).toContain('newest first');
    });
  });

  // Only in the full run. In `npm test`, journey.test.ts removes and restores a column by keyboard.
  test.runIf(IS_FULL)('after a column is removed, restored or moved to an end', async () => {
    await visit(demo.stage, { search: SEARCH }, async ({ page }) => {
      await open(page, demo.tokens.affiliate_en_token);
      const before = await heads(page);
      await page.getByRole('button', { name: 'Columns' }).click();
      const box = page.getByRole('dialog').getByLabel('Website', { exact: true });
      await box.focus();
      await page.keyboard.press('Space');
      await expect.poll(async () => await box.isChecked()).toBe(false);
      expect(await focused(page)).toBe('Website');
      expect(await heads(page)).not.toContain('Website');
      await page.keyboard.press('Space');
      await expect.poll(async () => await box.isChecked()).toBe(true);
      expect(await focused(page)).toBe('Website');
      expect(await heads(page)).toEqual(before);
      await page.getByRole('button', { name: 'Move Status up' }).focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      expect(await focused(page)).toBe('Move Status up');
      expect((await heads(page))[0]).toBe('Status');
    });
  });

  test('at the first and the last transaction', async () => {
    await look({}, async ({ page }) => {
      await first(page).waitFor();
      await page.getByRole('grid').focus();
      await page.keyboard.press('End');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      const sheet = page.getByRole('dialog');
      await sheet.getByRole('button', { name: 'Next' }).focus();
      for (let press = 0; press < 2; press += 1) await page.keyboard.press('Enter');
      expect(await focused(page)).toBe('Next');
      expect(await sheet.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
      await page.getByRole('grid').focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      await sheet.getByRole('button', { name: 'Previous' }).focus();
      await page.keyboard.press('Enter');
      expect(await focused(page)).toBe('Previous');
    });
  });
});

test('the next transaction shows the fields of the list at once, at the same scroll position', async () => {
  await look({}, async ({ page }) => {
    await first(page).waitFor();
    await first(page).click();
    const sheet = page.getByRole('dialog');
    // Empty until the whole transaction is loaded; some have no address.
    const address = sheet.locator('dt:text-is("IP address") + dd');
    await expect.poll(async () => await address.textContent()).toMatch(/[\d–]/);
    const fields = await sheet.locator('dt').count();
    const goOn = Promise.withResolvers<void>();
    await page.route(/\/sales\/\d+$/, async (route) => {
      await goOn.promise;
      await route.continue();
    });
    await page.evaluate(`document.querySelector('.sheet-body').scrollTop = 150`);
    const id = await page.locator('[data-place="1"] td').last().textContent();
    await sheet.getByRole('button', { name: 'Next' }).click();
    await sheet.getByRole('heading', { name: `Transaction ${id}` }).waitFor();
    expect(await sheet.locator('dt').count()).toBe(fields);
    expect(await sheet.locator('dt:text-is("Transaction") + dd').textContent()).toContain(id);
    expect(await address.textContent()).toBe('');
    expect(await page.evaluate(`document.querySelector('.sheet-body').scrollTop`)).toBe(150);
    goOn.resolve();
    await expect.poll(async () => await address.textContent()).toMatch(/[\d–]/);
  });
});

test('a transaction that was removed meanwhile shows an error and its known fields, and cannot be copied', async () => {
  await visit(demo.stage, { search: SEARCH }, async ({ page }) => {
    await open(page, demo.tokens.affiliate_en_token);
    await page.route(/\/sales\/\d+$/, async (route) => {
      const url = route.request().url().replace(/\d+$/, '9007199254740991');
      await route.continue({ url });
    });
    await first(page).click();
    const sheet = page.getByRole('dialog');
    await sheet.locator('.notice').waitFor();
    expect(await sheet.locator('.notice').textContent()).toContain('transaction');
    expect(await sheet.locator('dt:text-is("Status")').count()).toBe(1);
    expect(await sheet.locator('dt:text-is("IP address")').count()).toBe(0);
    expect(await sheet.locator('.shade').count()).toBe(0);
    expect(await sheet.locator('[aria-busy="true"]').count()).toBe(0);
    expect(await sheet.getByRole('button', { name: 'Copy as JSON' }).isDisabled()).toBe(true);
  });
});

describe('a failed request', () => {
  test('is reported once, and retried as soon as the network is back', async () => {
    await look({}, async ({ page }) => {
      await first(page).waitFor();
      await page.context().setOffline(true);
      await page.getByRole('radio', { name: 'Leads' }).check({ force: true });
      await page.locator('.notice').waitFor();
      await page.getByText('The list could not be loaded. See the message above.').waitFor();
      expect(await page.locator('.notice').count()).toBe(1);
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(1);
      expect(await page.locator('main > [aria-busy="true"]').count()).toBe(0);
      await page.getByRole('button', { name: 'Download' }).click();
      await page.getByText('All transactions of this query, with all fields.').waitFor();
      await page.keyboard.press('Escape');
      await page.context().setOffline(false);
      await first(page).waitFor();
      expect(await page.locator('.notice').count()).toBe(0);
    });
  });

  // Only in the full run. In `npm test`, the test above retries all requests without a button.
  test.runIf(IS_FULL)('is retried with all others by one button', async () => {
    await visit(demo.stage, { search: SEARCH }, async ({ page }) => {
      await open(page, demo.tokens.affiliate_en_token);
      await page.route('**/api/affiliate/**', async (route) => await route.abort());
      await page.getByRole('radio', { name: 'Leads' }).check({ force: true });
      const again = page.getByRole('button', { name: 'Try again' });
      await again.waitFor();
      await page.unroute('**/api/affiliate/**');
      await again.click();
      await first(page).waitFor();
      await page.locator('.total-value').first().waitFor();
      await page.locator('.group').first().waitFor();
      expect(await page.locator('.notice').count()).toBe(0);
      expect(await focused(page)).toMatch(/transactions$/);
    });
  });

  test('because of a filter offers to remove the filter instead of a retry', async () => {
    await visit(demo.stage, { search: `${SEARCH}&publisher_id=1` }, async ({ page }) => {
      await signIn(page, demo.tokens.affiliate_en_token);
      await page.locator('.notice').waitFor();
      expect(await page.locator('.notice').count()).toBe(1);
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      const notice = page.locator('.notice');
      await notice.getByRole('button', { name: 'Remove the filter Website' }).click();
      await first(page).waitFor();
      expect(new URL(page.url()).search).toBe(SEARCH);
    });
  });

  test('for the code of a sheet leaves the page as it is, and a reload repeats it', async () => {
    await look({}, async ({ page }) => {
      await first(page).waitFor();
      await page.route(/keys-sheet/, async (route) => await route.abort());
      await page.keyboard.press('?');
      const sheet = page.getByRole('dialog', { name: 'Not loaded' });
      await sheet.waitFor();
      expect(await first(page).count()).toBe(1);
      await page.unroute(/keys-sheet/);
      await sheet.getByRole('button', { name: 'Try again' }).click();
      await sheet.waitFor({ state: 'detached' });
      await first(page).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    });
  });
});

test('rows in sight stay there when a phone is turned and its cards become a table', async () => {
  const search = SEARCH.replace('sales', 'impressions');
  await look({ search, viewport: { width: 390, height: 844 } }, async ({ page }) => {
    const inSight = async () => await page.evaluate<readonly string[]>(ROWS_IN_SIGHT);
    await first(page).waitFor();
    await page.evaluate(`document.querySelector('.grid').scrollTop = 4000`);
    await expect.poll(async () => Number((await inSight())[1] ?? 0)).toBeGreaterThan(0);
    const [, second] = await inSight();
    await page.setViewportSize({ width: 1000, height: 800 });
    await page.locator('.grid table:not(.cards)').waitFor();
    await expect.poll(inSight).toContain(second);
  });
});

describe('the columns', () => {
  // Only in the full run. In `npm test`, the next test checks the shadow at the edge.
  test.runIf(IS_FULL)(
    'of administrators fit a wide screen, without a shadow at the edge',
    async () => {
      const viewport = { width: 1440, height: 900 };
      await visit(demo.stage, { search: SEARCH, viewport }, async ({ page }) => {
        await open(page, await demo.stage.service.token({ locale: 'en' }));
        const frame = await page.locator('.grid').boundingBox();
        const last = await page.locator('.grid th').last().boundingBox();
        expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(
          (frame?.x ?? 0) + (frame?.width ?? 0),
        );
        expect(await page.locator('.grid-frame.more').count()).toBe(0);
      });
    },
  );

  test('have a shadow at the edge while more follow', async () => {
    const viewport = { width: 700, height: 800 };
    await look({ viewport }, async ({ page }) => {
      await first(page).waitFor();
      await page.locator('.grid-frame.more').waitFor();
      await page.evaluate(`document.querySelector('.grid').scrollLeft = 10_000`);
      await page.locator('.grid-frame.more').waitFor({ state: 'detached' });
    });
  });

  test('are cards on a phone: the status and the money first, everything in sight, sorted by a button', async () => {
    const viewport = { width: 390, height: 800 };
    await look({ viewport }, async ({ page }) => {
      await first(page).waitFor();
      expect((await heads(page)).slice(0, 3)).toEqual(['Status', 'Remuneration', 'Created ↓']);
      const card = (await first(page).allInnerTexts()).join();
      expect(card).toMatch(/^(Validated|Pending|Refused)\s+Remuneration\s+[\d.]+\s+Created\s/);
      const cut = `[...document.querySelectorAll('[data-place] td.number > :last-child, [data-place] td.date > :last-child')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)`;
      expect(await page.evaluate(cut)).toEqual([]);
      const beyond = `(() => { const grid = document.querySelector('.grid'); return grid.scrollWidth - grid.clientWidth; })()`;
      expect(await page.evaluate(beyond)).toBe(0);
      const cards = `[...document.querySelectorAll('[data-place]')].filter((one) => one.scrollHeight > one.clientHeight).length`;
      expect(await page.evaluate(cards)).toBe(0);
      await page.getByRole('button', { name: /^Created, newest first/ }).click();
      await page.waitForURL(/order=asc/);
    });
  });

  test('can be resized by dragging or by buttons, keep their width, and can be reset', async () => {
    await look({}, async ({ page }) => {
      await first(page).waitFor();
      const header = page.locator('.grid th[data-column="country"]');
      await header.scrollIntoViewIfNeeded();
      const widthOf = async () => Math.round((await header.boundingBox())?.width ?? 0);
      const expectWidth = async (width: number) => await expect.poll(widthOf).toBe(width);
      const standard = await widthOf();
      const before = await page.locator('.grid th[data-column="status_label"]').boundingBox();
      const grip = await header.locator('.width-grip').boundingBox();
      if (grip === null || before === null) throw new Error('There is no column.');
      const [x, y] = [grip.x + grip.width / 2, grip.y + grip.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 80, y, { steps: 4 });
      await page.mouse.up();
      await expectWidth(standard + 80);
      const after = await page.locator('.grid th[data-column="status_label"]').boundingBox();
      expect(after?.width).toBeCloseTo(before.width, 0);
      const cell = await first(page).locator('td').nth(5).boundingBox();
      expect(cell?.x).toBeCloseTo((await header.boundingBox())?.x ?? 0, 0);
      await page.reload();
      await first(page).waitFor();
      await expectWidth(standard + 80);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('button', { name: 'Make Country wider' }).press('Enter');
      await expectWidth(standard + 96);
      await page.getByRole('button', { name: 'Make Country narrower' }).press('Enter');
      await expectWidth(standard + 80);
      await page.getByRole('button', { name: 'Reset to default' }).press('Enter');
      await expectWidth(standard);
    });
  });

  test('of money have two decimals, and the exact value as tooltip', async () => {
    await look({}, async ({ page }) => {
      await first(page).waitFor();
      const cells = page.locator('td.number > [title]');
      const shown = await cells.allInnerTexts();
      expect(shown.length).toBeGreaterThan(10);
      for (const text of shown) expect(text).toMatch(/^-?[\d,]+\.\d\d$/);
      const titles = (await cells.all()).map(async (cell) => await cell.getAttribute('title'));
      const exact = await Promise.all(titles);
      expect(exact.some((text) => /\.\d{3,}$/.test(text ?? ''))).toBe(true);
      for (const [at, text] of exact.entries()) {
        const [rounded, whole] = [shown[at], text].map((one) => Number(one?.replaceAll(',', '')));
        expect(Math.abs(Number(rounded) - Number(whole))).toBeLessThanOrEqual(0.005001);
      }
    });
  });
});

test('the list shows when it was loaded, and can be refreshed', async () => {
  const search = '?type=leads&start_date=2019-01-01&end_date=2019-01-31';
  const add = async (id: number, status: number) =>
    await demo.stage.service.database.engine.execute(
      plainStatement(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, created_at, updated_at)
VALUES ('leads', ${id}, 10, 100, 1, ${status}, '2019-01-10 12:00:00', '2019-01-10 12:00:00')`),
    );
  await add(1, 1);
  await visit(demo.stage, { search }, async ({ page }) => {
    await page.clock.setFixedTime('2026-07-01T12:05:00Z');
    await page.reload();
    await open(page, await demo.stage.service.token({ locale: 'en' }));
    await page.getByText('All times in Europe/Paris, as of 14:05').waitFor();
    await add(2, 2);
    await page.clock.setFixedTime('2026-07-01T13:06:00Z');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('heading', { name: '2 transactions' }).waitFor();
    await page.locator('[data-place="1"]').waitFor();
    await page.getByText('as of 15:06').waitFor();
    const total = page.locator('.total-value').first();
    await expect.poll(async () => await total.textContent()).toBe('2');
  });
});

// The demo data end yesterday and go back a year, so there are no transactions on these days.
test('a named period changes at midnight in the time zone of the platform', async () => {
  await visit(demo.stage, { search: '?type=sales&period=today' }, async ({ page, asked }) => {
    await page.clock.setFixedTime('2020-07-01T21:59:00Z');
    await page.reload();
    await signIn(page, demo.tokens.affiliate_en_token);
    await page.getByText('No transactions match').waitFor();
    expect(asked.join()).toContain('end_date=2020-07-01&');
    expect(asked.join()).not.toContain('2020-07-02');
    await page.clock.setFixedTime('2020-07-01T22:00:00Z');
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await expect.poll(() => asked.join()).toContain('end_date=2020-07-02&');
  });
});

test('the title of the tab names the query', async () => {
  await look({ search: '?type=sales&period=last-30-days' }, async ({ page }) => {
    const title = expect.poll(async () => await page.title());
    await title.toBe('Sales · Last 30 days – Transactions');
    await page.getByRole('radio', { name: 'Leads' }).check({ force: true });
    await title.toBe('Leads · Last 30 days – Transactions');
  });
});

// Only in the full run. In `npm test`, the test above checks the title.
test.runIf(IS_FULL)('the title of the tab is in the language of the page', async () => {
  await visit(demo.stage, {}, async ({ page }) => {
    await expect.poll(async () => await page.title()).toBe('Transactions');
    await open(page, demo.tokens.affiliate_en_token);
    await page.getByRole('radio', { name: 'Leads' }).check({ force: true });
    await page.getByLabel('Language').selectOption('fr');
    await expect
      .poll(async () => await page.title())
      .toBe('Leads · 30 derniers jours – Transactions');
    await page.goto(`${demo.stage.address}?type=sales&start_date=2026-01-01&end_date=2026-01-31`);
    await expect.poll(async () => await page.title()).toMatch(/^Ventes · 1–31 janv. 2026 – /);
  });
});

// Only in the full run. In `npm test`, journey.test.ts compares a file in French with that of the API.
test.runIf(IS_FULL)('requests use the language of the page', async () => {
  await visit(demo.stage, { locale: 'de-DE' }, async ({ page }) => {
    const languages: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/')) languages.push(request.headers()['accept-language']);
    });
    await open(page, demo.tokens.affiliate_en_token);
    expect(new Set(languages)).toEqual(new Set(['de-DE']));
    await page.getByLabel('Language').selectOption('fr');
    await page.getByRole('radio', { name: 'Leads' }).check({ force: true });
    // Lower parts of the page may send requests in the former language until the first one in French.
    const inFrench = () => languages.slice(languages.indexOf('fr'));
    await expect.poll(() => inFrench().length).toBeGreaterThan(3);
    expect(new Set(inFrench())).toEqual(new Set(['fr']));
  });
});

test('a row that is loading stays visible under the pointer', async () => {
  await look({}, async ({ page }) => {
    await first(page).waitFor();
    const goOn = Promise.withResolvers<void>();
    await page.route(/\/transactions\?.*limit=/, async (route) => {
      await goOn.promise;
      await route.continue();
    });
    // After a change of the order, no row is shown until it is loaded.
    await page.locator('.grid th[aria-sort] button').click();
    const loading = page.locator('.grid tbody tr:not([data-place])').nth(9);
    await loading.waitFor();
    await loading.hover();
    const [row, shade] = await page.evaluate<readonly string[]>(
      `['', ' .shade'].map((part) => getComputedStyle(document.querySelector('.grid tbody tr:hover' + part)).backgroundColor)`,
    );
    goOn.resolve();
    expect(row).not.toBe(shade);
    await page.locator('.grid tbody .shade').first().waitFor({ state: 'detached' });
  });
});

test('Escape in the search box cancels an Enter that came before the results', async () => {
  await look({}, async ({ page }) => {
    // An earlier test may have scrolled the list.
    await page.locator('[data-place]').first().click();
    const id = new URL(page.url()).searchParams.get('row') ?? '';
    await page.keyboard.press('Escape');
    await page.waitForURL((address) => !address.searchParams.has('row'));
    const address = page.url();
    const results = Promise.withResolvers<void>();
    await page.route(/\/summary\?.*transaction_id=/, async (route) => {
      await results.promise;
      await route.continue().catch(() => undefined);
    });
    const box = page.getByRole('combobox', { name: 'Search by ID or name' });
    await box.fill(id);
    for (const key of ['ArrowDown', 'Enter', 'Escape']) await box.press(key);
    results.resolve();
    // An Enter that still waited would take effect within this time, unless the machine is very slow.
    await page.evaluate('new Promise((done) => setTimeout(done, 1000))');
    expect(page.url()).toBe(address);
    // The results are shown again when the box gets the focus.
    await box.blur();
    await box.focus();
    await page.locator('.search-results [role="status"]', { hasText: /result/ }).waitFor();
    const selected = page.locator('.search-results [aria-selected="true"]');
    expect(await selected.textContent()).toContain(id);
    expect(page.url()).toBe(address);
  });
});

describe('the header of a column', () => {
  const headOf = (page: Page, name: string) =>
    page.locator(`.grid th[data-column="${name}"]`).getByRole('button');
  const sorted = (page: Page) => page.locator('.grid th[aria-sort]');
  const idAt = async (page: Page, place: number) =>
    await page.locator(`[data-place="${place}"] td`).last().textContent();

  /** The transaction at a place of the sorted list, as the API says. */
  async function apiIdAt(place: number, sort: string) {
    const page = `&order=desc&limit=1&sort=${sort}&offset=${place}&fields=transaction_id`;
    const response = await demo.stage.service.get(
      `/reports/api/affiliate/transactions${SEARCH}${page}`,
      demo.tokens.affiliate_en_token,
    );
    const [row] = (await response.json()) as { transaction_id: number }[];
    return String(row?.transaction_id);
  }

  test('sorts by it, the largest first, then reverses the order, then returns to the date', async () => {
    await look({}, async ({ page }) => {
      await first(page).waitFor();
      const head = headOf(page, 'remuneration');
      expect(await head.getAttribute('title')).toBe('Sort: largest first');
      for (const [sort, direction, text] of [
        ['-remuneration', 'descending', 'Remuneration ↓'],
        ['remuneration', 'ascending', 'Remuneration ↑'],
      ] as const) {
        await head.press('Enter');
        await page.waitForURL((address) => address.searchParams.get('list_sort') === sort);
        await expect.poll(async () => await idAt(page, 0)).toBe(await apiIdAt(0, sort));
        expect(await sorted(page).textContent()).toBe(text);
        expect(await sorted(page).getAttribute('aria-sort')).toBe(direction);
        expect(await focused(page)).toContain('Remuneration');
      }
      await head.click();
      await page.waitForURL((address) => !address.searchParams.has('list_sort'));
      expect(await sorted(page).textContent()).toBe('Created ↓');
    });
  });

  test('sorts texts from A, and the header of the date sorts by date again', async () => {
    await look({}, async ({ page }) => {
      await headOf(page, 'country').click();
      await page.waitForURL(/list_sort=country/);
      await expect.poll(async () => await idAt(page, 0)).toBe(await apiIdAt(0, 'country'));
      await headOf(page, 'created_at').click();
      await page.waitForURL((address) => !address.searchParams.has('list_sort'));
      expect(await sorted(page).textContent()).toBe('Created ↓');
    });
  });

  test('shows the order in the address, and the last row needs at most two requests', async () => {
    const search = `${SEARCH}&list_sort=-status`;
    await look({ search }, async ({ page, asked }) => {
      await first(page).waitFor();
      expect(await sorted(page).textContent()).toBe('Status ↓');
      const title = (await page.locator('#list-title').textContent()) ?? '';
      const count = Number(title.replace(/\D/g, ''));
      const before = asked.length;
      await page.getByRole('grid').focus();
      await page.keyboard.press('End');
      await page.locator(`[data-place="${count - 1}"]`).waitFor();
      expect(await idAt(page, count - 1)).toBe(await apiIdAt(count - 1, '-status'));
      const pages = asked.slice(before).filter((address) => address.includes('offset='));
      expect(pages.length).toBeLessThanOrEqual(2);
      expect(await accessibilityFaults(page, [], '.grid thead')).toEqual([]);
    });
  });

  test('is replaced by a select on phones', async () => {
    const viewport = { width: 390, height: 844 };
    await look({ viewport }, async ({ page }) => {
      await first(page).waitFor();
      const choice = page.getByLabel('Sort by');
      await choice.selectOption('Remuneration, largest first');
      await page.waitForURL(/list_sort=-remuneration/);
      expect(await sorted(page).textContent()).toBe('Remuneration ↓');
      expect(await accessibilityFaults(page, [], '#list')).toEqual([]);
      await choice.selectOption('Created, oldest first');
      await page.waitForURL((address) => !address.searchParams.has('list_sort'));
      expect(new URL(page.url()).searchParams.get('order')).toBe('asc');
    });
  });

  test('stays visible while the list is sorted by it, and cannot be hidden', async () => {
    const search = `${SEARCH}&list_sort=token`;
    await look({ search }, async ({ page }) => {
      await first(page).waitFor();
      expect(await sorted(page).getAttribute('data-column')).toBe('token');
      await page.getByRole('button', { name: 'Columns' }).click();
      const sheet = page.getByRole('dialog');
      const box = (name: string) => sheet.getByRole('checkbox', { name, exact: true });
      expect(await box('Tracking token').isChecked()).toBe(true);
      expect(await box('Tracking token').isDisabled()).toBe(true);
      await box('Country').uncheck();
      await page.keyboard.press('Escape');
      await headOf(page, 'created_at').click();
      await page.waitForURL((address) => !address.searchParams.has('list_sort'));
      await headOf(page, 'token').waitFor({ state: 'detached' });
      expect(await headOf(page, 'country').count()).toBe(0);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('button', { name: 'Reset to default' }).press('Enter');
      await headOf(page, 'country').waitFor();
    });
  });

  test('gives its order to the command and the code for the API; the download says that files are sorted by date', async () => {
    await look({ search: `${SEARCH}&list_sort=-remuneration` }, async ({ page }) => {
      await first(page).waitFor();
      await page.getByRole('button', { name: 'Download' }).first().click();
      const sheet = page.getByRole('dialog');
      await sheet.getByText('Files are sorted by date.').waitFor();
      await sheet.getByText('curl returns the first 10,000 transactions').waitFor();
      const [, curl, code] = await sheet.locator('pre').allInnerTexts();
      expect(curl).toContain('&sort=-remuneration&order=desc&limit=10000');
      expect(code).toContain('"sort": "-remuneration"');
      expect(code).not.toContain('limit');
    });
  });
});
