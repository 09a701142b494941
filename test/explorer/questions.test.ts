import type { Locator, Page } from 'playwright-core';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { monthOf } from '../../explorer/src/query-form/period/calendar-dates.ts';
import { formatsOf } from '../../explorer/src/ui/formats.ts';
import { keptPages } from '../support/pages/kept-pages.ts';
import {
  choosePeriod,
  demoStage,
  openPeriods,
  READERS,
  signIn,
  type Visit,
  visit,
} from '../support/programs/explorer.ts';
import { everyNth } from '../support/run/sampled.ts';
import { IS_FULL } from '../support/run/test-extent.ts';
import { accessibilityFaults } from '../support/servers/accessibility.ts';

const demo = demoStage(20_000);
const kept = keptPages(demo);

/** An affiliate's page in English, which other tests use too. */
const look = async (search: string, what: (visit: Visit) => Promise<void>) =>
  await kept({ token: 'affiliate_en_token', language: 'en', search }, what);

type Json = Readonly<Record<string, string | number | null>>;

/** The API's response to the query in the address bar, with some parameters replaced. */
async function apiSays(page: Page, role: string, token: string, path: string, other: Json) {
  const given = new URLSearchParams(new URL(page.url()).search);
  for (const name of ['measure', 'period', 'row']) given.delete(name);
  for (const [name, value] of Object.entries(other)) given.set(name, String(value));
  const response = await demo.stage.service.get(
    `/reports/api/${role}/transactions${path}?${given}`,
    token,
  );
  expect(response.status).toBe(200);
  return (await response.json()) as readonly Json[];
}

const rows = (page: Page) => page.locator('[data-place]');
const heading = (page: Page, count: number, language: string) =>
  page.getByRole('heading', {
    name: `${new Intl.NumberFormat(language).format(count)} transaction`,
  });

/** A whole month of the demo data, which end yesterday. */
function monthOfDemo() {
  const day = new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 7);
  const last = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5)), 0)).getUTCDate();
  return { start_date: `${day}-01`, end_date: `${day}-${last}` };
}

const MONTH = monthOfDemo();

/** A whole month is compared with the whole month before. */
function monthBefore() {
  const last = new Date(Date.parse(MONTH.start_date) - 86_400_000).toISOString().slice(0, 10);
  return { start_date: `${last.slice(0, 8)}01`, end_date: last };
}
const YEAR = Number(MONTH.start_date.slice(0, 4));
const SEARCH = `?type=sales&start_date=${MONTH.start_date}&end_date=${MONTH.end_date}`;

describe.each(READERS)('%s (%s, %s)', (_, role, language, name) => {
  const look = async (search: string, what: (page: Page) => Promise<void>) =>
    await kept({ token: name, language, search }, async ({ page }) => await what(page));

  test('sees the totals of the API', async () => {
    await look(SEARCH, async (page) => {
      const [sums = {}] = await apiSays(page, role, demo.tokens[name], '/summary', {});
      await heading(page, Number(sums.count), language).waitFor();
      const money = new Intl.NumberFormat(language === 'fr' ? 'fr' : 'en-GB', {
        minimumFractionDigits: 2,
      });
      const wanted =
        role === 'admin' ? ['remu_program', 'remu_publisher', 'amount'] : ['remuneration'];
      // The list may be there before the totals.
      const totals = expect.poll(async () => await page.locator('.total-value').allInnerTexts());
      await totals.toEqual([
        new Intl.NumberFormat(language).format(Number(sums.count)),
        ...wanted.map((one) => money.format(Math.round(Number(sums[one]) * 100) / 100)),
      ]);
      const before = monthBefore();
      const [earlier = {}] = await apiSays(page, role, demo.tokens[name], '/summary', before);
      const percent = new Intl.NumberFormat(language, {
        style: 'percent',
        maximumFractionDigits: 1,
        signDisplay: 'exceptZero',
      });
      await page.locator('.total-change .hidden').first().waitFor({ state: 'attached' });
      expect(await page.locator('.total-change .hidden').allTextContents()).toEqual(
        ['count', ...wanted].map((one) =>
          percent.format(Math.round((Number(sums[one]) / Number(earlier[one]) - 1) * 1000) / 1000),
        ),
      );
      expect(await page.locator('.bar').count()).toBe(Number(MONTH.end_date.slice(8)));
    });
  });

  test('sees the chart and the top groups of the API', async () => {
    await look(SEARCH, async (page) => {
      await page.locator('.group').nth(12).waitFor();
      const token = demo.tokens[name];
      const number = new Intl.NumberFormat(language);
      const byDay = await apiSays(page, role, token, '/summary', { group_by: 'day,status' });
      const counted = (day: string, status: string) =>
        Number(byDay.find((one) => one.day === day && one.status === status)?.count ?? 0);
      const days = Array.from({ length: Number(MONTH.end_date.slice(8)) }, (_, at) => {
        const day = `${MONTH.start_date.slice(0, 8)}${String(at + 1).padStart(2, '0')}`;
        // The order is validated, pending, refused.
        const counts = ['1', '2', '0'].map((status) => counted(day, status));
        return [...counts, counts.reduce((sum, one) => sum + one, 0)];
      });
      expect(days.flat().filter((one) => one > 0).length).toBeGreaterThan(20);
      expect(
        await page.evaluate(
          `[...document.querySelectorAll('.numbers tbody tr')].map((row) => [...row.querySelectorAll('td')].slice(0, 4).map((one) => one.textContent))`,
        ),
      ).toEqual(days.map((counts) => counts.map((one) => number.format(one))));
      const highest = Math.max(...days.map((counts) => counts.at(-1) ?? 0));
      const heights = await page.evaluate<readonly (readonly number[])[]>(
        `[...document.querySelectorAll('.bar')].map((bar) => [...bar.children].map((one) => parseFloat(one.style.height)))`,
      );
      const unit = (Math.max(...heights.map((one) => one.reduce((a, b) => a + b))) || 1) / highest;
      for (const [at, counts] of days.entries()) {
        for (const part of [0, 1, 2]) {
          expect(heights[at]?.[part]).toBeCloseTo(unit * (counts[part] ?? 0), 2);
        }
      }
      const share = new Intl.NumberFormat(language, {
        style: 'percent',
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
      });
      const countries = new Intl.DisplayNames([language], { type: 'region' });
      for (const [place, grouping] of ['program_id', 'publisher_id', 'country'].entries()) {
        const groups = await apiSays(page, role, token, '/summary', { group_by: grouping });
        const all = groups.reduce((sum, one) => sum + Number(one.count), 0);
        const largest = groups.toSorted((one, other) => Number(other.count) - Number(one.count));
        expect(
          await page.evaluate(
            `[...document.querySelectorAll('.top-groups')[${place}].querySelectorAll('.group')].map((one) => [...one.children].slice(0, 3).map((part) => part.textContent))`,
          ),
        ).toEqual(
          largest.slice(0, 5).map((one) => {
            const value = String(one[grouping]);
            return [
              grouping === 'country' ? countries.of(value) : value,
              number.format(Number(one.count)),
              share.format(Number(one.count) / all),
            ];
          }),
        );
      }
    });
  });

  // In `npm test`, only as an affiliate. Administrators only see other fields, which the tests above compare.
  const testOfOne = test.runIf(IS_FULL || role === 'affiliate');

  testOfOne('filters by a click on a bar or a group, and goes back', async () => {
    await look(SEARCH, async (page) => {
      await rows(page).first().waitFor();
      const program = page.locator('.group').first();
      const id = (await program.locator('.group-name').textContent()) ?? '';
      await program.click();
      await page.waitForURL(new RegExp(`program_id=${id}`));
      const [ofProgram = {}] = await apiSays(page, role, demo.tokens[name], '/summary', {});
      await heading(page, Number(ofProgram.count), language).waitFor();
      await page.locator('.legend button').first().click();
      await page.waitForURL(/status=1/);
      const [validated = {}] = await apiSays(page, role, demo.tokens[name], '/summary', {});
      await heading(page, Number(validated.count), language).waitFor();
      await page.goBack();
      await heading(page, Number(ofProgram.count), language).waitFor();
      await page.goBack();
      expect(new URL(page.url()).search).toBe(SEARCH);
      const [all = {}] = await apiSays(page, role, demo.tokens[name], '/summary', {});
      await heading(page, Number(all.count), language).waitFor();
      const bar = page.locator('.bar:not([aria-label*=": 0."])').nth(3);
      await bar.click();
      await page.waitForURL((address) => {
        const asked = address.searchParams;
        return asked.get('start_date') === asked.get('end_date');
      });
      const [day = {}] = await apiSays(page, role, demo.tokens[name], '/summary', {});
      await heading(page, Number(day.count), language).waitFor();
    });
  });

  testOfOne('reads the rows in both orders and opens one with all its fields', async () => {
    await look(SEARCH, async (page) => {
      await rows(page).first().click();
      const newest = await apiSays(page, role, demo.tokens[name], '', { order: 'desc', limit: 1 });
      const sheet = page.getByRole('dialog');
      await sheet.getByRole('heading', { name: String(newest[0]?.transaction_id) }).waitFor();
      await sheet.locator('dt').first().waitFor();
      expect(await sheet.locator('dt').count()).toBe(Object.keys(newest[0] ?? {}).length);
      await expect
        .poll(async () => (await sheet.locator('dd').allInnerTexts()).join('\n'))
        .toContain(String(newest[0]?.ip_address));
      await page.keyboard.press('Escape');
      await page.locator('.list th[aria-sort] button').click();
      await page.waitForURL(/order=asc/);
      const oldest = await apiSays(page, role, demo.tokens[name], '', { limit: 1 });
      await page.getByRole('grid').focus();
      await page.keyboard.press('Home');
      await expect
        .poll(async () => await rows(page).first().textContent())
        .toContain(String(oldest[0]?.program_id));
      await page.keyboard.press('Enter');
      await sheet.getByRole('heading', { name: String(oldest[0]?.transaction_id) }).waitFor();
    });
  });
});

test('numbers of one kind never appear under another kind', async () => {
  const line = Promise.withResolvers<void>();
  await visit(demo.stage, { search: SEARCH }, async ({ page }) => {
    const totals = page.locator('.total-value');
    const loading = page.locator('.glance > [role="status"]', { hasText: 'Loading' });
    await signIn(page, demo.tokens.affiliate_en_token);
    await page.locator('.group').nth(3).waitFor();
    await page.route(/\/summary\?/, async (route) => {
      await line.promise;
      // The page may have cancelled the request.
      await route.continue().catch(() => undefined);
    });
    await page.getByRole('radio', { name: 'Leads', exact: true }).check({ force: true });
    await loading.waitFor({ state: 'attached' });
    expect(await totals.allInnerTexts()).toEqual(['…', '…']);
    expect(await page.locator('.bar, .group').count()).toBe(0);
    line.resolve();
    await page.locator('.group').nth(3).waitFor();
    await loading.waitFor({ state: 'detached' });
    expect(await totals.first().textContent()).toMatch(/^\d/);
  });
});

// Only in the full run. In `npm test`, journey.test.ts and view.test.ts check how the address is written and read.
test.runIf(IS_FULL)('the query follows the form and is in the address', async () => {
  await look('', async ({ page }) => {
    await rows(page).first().waitFor();
    await page.getByRole('radio', { name: 'Leads', exact: true }).check({ force: true });
    await choosePeriod(page, 'This year');
    await page.getByLabel('Date used').selectOption('validation_date');
    await page.getByRole('button', { name: 'Validated' }).first().click();
    await page.getByLabel('Add a filter').selectOption('country');
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('fr,atlantis');
    await page.keyboard.press('Enter');
    await page.getByText('A country name or two-letter code').waitFor();
    await page.locator('input:focus').fill('fr, be,');
    await page.keyboard.press('Enter');
    await page.waitForURL(/country=FR,BE/);
    expect(new URL(page.url()).search).toBe(
      '?type=leads&period=this-year&date_field=validation_date&status=1&country=FR,BE',
    );
    await page.reload();
    await rows(page).first().waitFor();
    expect(await page.locator('.chip').allInnerTexts()).toEqual(['France', 'Belgium']);
    expect(await page.getByRole('radio', { name: 'Leads', exact: true }).isChecked()).toBe(true);
    await openPeriods(page);
    await page.getByLabel('From', { exact: true }).fill('2026-01-05');
    await page.waitForURL(/start_date=2026-01-05/);
    await page.getByLabel('To', { exact: true }).fill('2026-01-04');
    await page.getByText('The last day must not be before the first.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.waitForURL((address) => !address.searchParams.has('status'));
  });
});

/** The label of the focused element. */
const focused = async (page: Page) =>
  await page.evaluate<string>(
    'document.activeElement.labels?.[0]?.textContent ?? document.activeElement.ariaLabel ?? document.activeElement.tagName',
  );

// Only in the full run. In `npm test`, journey.test.ts fills in dates, and the calendar below is used by keys.
test.runIf(IS_FULL)(
  'a range of dates is typed with the keyboard alone, and follows other changes of the period',
  async () => {
    await look(SEARCH, async ({ page, asked }) => {
      await rows(page).first().waitFor();
      const button = page.locator('.period-button');
      const dialog = await openPeriods(page);
      const [from, to] = [
        dialog.getByLabel('From', { exact: true }),
        dialog.getByLabel('To', { exact: true }),
      ];
      expect([await from.getAttribute('min'), await to.getAttribute('max')]).toEqual([
        '1969-12-31',
        '2106-02-07',
      ]);
      await from.focus();
      // Day and month are equal, because their order depends on the browser.
      await page.keyboard.type(`0202${YEAR - 1}`, { delay: 30 });
      await page.waitForURL(new RegExp(`start_date=${YEAR - 1}-02-02`));
      expect(await focused(page)).toBe('From');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`start_date=${YEAR - 2}-02-02`));
      // Enter applies the dates and closes the dialog, and the focus returns to the button that opened it.
      await dialog.waitFor({ state: 'detached' });
      expect(await button.and(page.locator(':focus')).count()).toBe(1);
      expect(asked.filter((one) => one.includes('start_date=0'))).toEqual([]);
      await page.goBack();
      await openPeriods(page);
      await expect.poll(async () => await from.inputValue()).toBe(`${YEAR - 1}-02-02`);
      await page.goBack();
      await expect.poll(async () => await from.inputValue()).toBe(MONTH.start_date);
      await page.keyboard.press('Escape');
      await page.locator('.bar').nth(4).click();
      await openPeriods(page);
      await expect
        .poll(async () => await from.inputValue())
        .toBe(`${MONTH.start_date.slice(0, 8)}05`);
      expect(await to.inputValue()).toBe(await from.inputValue());
    });
  },
);

describe('the calendar', () => {
  const later = (date: string, days: number) => String(Temporal.PlainDate.from(date).add({ days }));
  const { dayOfWeek } = Temporal.PlainDate.from(MONTH.start_date);
  /** The Monday between the 9th and the 15th of the month. */
  const monday = later(MONTH.start_date, 15 - dayOfWeek);
  const search = `?type=sales&start_date=${monday}&end_date=${later(monday, 2)}`;
  const look = async (locale: string, width: number, what: (page: Page) => Promise<void>) => {
    const options = { search, locale, viewport: { width, height: 900 } };
    const reader = { token: 'affiliate_en_token', language: 'en' } as const;
    await kept({ ...reader, ...options }, async ({ page }) => await what(page));
  };
  const day = (page: Page, date: string) => page.locator(`.rdp-day[data-day="${date}"] button`);
  const range = (page: Page, start: string, end: string) =>
    page.waitForURL(`**start_date=${start}&end_date=${end}*`);

  test.runIf(IS_FULL)(
    'selects a range by two clicks in any order, or a whole month by one',
    async () => {
      await look('en-US', 1280, async (page) => {
        const dialog = await openPeriods(page);
        expect(await dialog.locator('.rdp-weekday').first().textContent()).toBe('Sun');
        const formats = formatsOf('en-US');
        const [chosen, before] = [later(monday, 3), later(monthOf(monday, -1).start, 9)];
        await day(page, chosen).click();
        await dialog.getByText(`From ${formats.day(chosen)}. Choose the last day.`).waitFor();
        await day(page, before).click();
        await range(page, before, chosen);
        await dialog.waitFor({ state: 'detached' });
        await openPeriods(page);
        const whole = monthOf(monday, -2);
        const { year, month } = Temporal.PlainDate.from(whole.start);
        await dialog.getByLabel('Year', { exact: true }).first().selectOption(String(year));
        await dialog
          .getByLabel('Month', { exact: true })
          .first()
          .selectOption(String(month - 1));
        await dialog.getByRole('button', { name: `All of ${formats.month(whole.start)}` }).click();
        await range(page, whole.start, whole.end);
      });
    },
  );

  test('is used by keys alone, with weeks from Monday', async () => {
    await look('en-GB', 600, async (page) => {
      await page.locator('.period-button').press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Period' });
      const at = async (date: string) =>
        await day(page, date).and(page.locator(':focus')).waitFor();
      await at(monday);
      expect(await dialog.locator('.rdp-weekday').first().textContent()).toBe('Mon');
      const next = later(monday, 7);
      for (const [key, date] of [
        ['ArrowDown', next],
        ['ArrowRight', later(next, 1)],
        ['End', later(next, 6)],
        ['Home', next],
        ['PageUp', String(Temporal.PlainDate.from(next).subtract({ months: 1 }))],
        ['PageDown', next],
      ] as const) {
        await page.keyboard.press(key);
        await at(date);
      }
      await page.keyboard.press('Enter');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Escape');
      // Escape discards a range that is only begun.
      await dialog.waitFor({ state: 'detached' });
      expect(await page.locator('.period-button').and(page.locator(':focus')).count()).toBe(1);
      expect(new URL(page.url()).search).toBe(search);
      // The calendar is loaded by now, so the dialog opens with it.
      await page.keyboard.press('Enter');
      await at(monday);
      // A click right after Escape, before the event `close`, opens the dialog again.
      await page.evaluate(`{
        document.querySelector('.period-dialog').requestClose();
        queueMicrotask(() => document.querySelector('.period-button').click());
      }`);
      await at(monday);
    });
  });

  test('shows which days have no data, and ends with the months of the data', async () => {
    await look('en-GB', 1280, async (page) => {
      await choosePeriod(page, 'Last 7 days');
      const dialog = await openPeriods(page);
      // The data are of a year that ends before today.
      const last = new Date().toISOString().slice(0, 10);
      // The cells of adjacent months have no button.
      await dialog.locator(`.empty-day[data-day="${last}"] button`).waitFor();
      expect(await day(page, last).getAttribute('aria-label')).toMatch(/, no data$/);
      const years = dialog.getByLabel('Year', { exact: true }).first().getByRole('option');
      await expect.poll(async () => await years.count()).toBeLessThan(4);
    });
  });

  // Only in the full run. In `npm test`, the test by keys checks that the calendar is loaded.
  test.runIf(IS_FULL)(
    'that cannot be loaded says so, and a reload of the page loads it',
    async () => {
      await visit(demo.stage, { search: SEARCH }, async ({ page }) => {
        await signIn(page, demo.tokens.affiliate_en_token);
        await page.route(/period-panel/, async (route) => await route.abort());
        await rows(page).first().waitFor();
        await page.locator('.period-button').click();
        const again = page.getByRole('dialog').getByRole('button', { name: 'Try again' });
        await again.waitFor();
        await page.unroute(/period-panel/);
        await again.click();
        await rows(page).first().waitFor();
        await openPeriods(page);
      });
    },
  );
});

describe('a filter that is typed on a phone', () => {
  /** Types a filter into the sheet of filters, and closes the sheet. */
  const typeAndClose = async (
    close: (page: Page) => Promise<void>,
    check: (page: Page) => Promise<void>,
  ) => {
    const viewport = { width: 390, height: 844 };
    await kept({ ...ENGLISH, search: SEARCH, viewport }, async ({ page }) => {
      await page.getByRole('button', { name: /^Filters/ }).click();
      await typeCountry(page);
      await close(page);
      await page.locator('dialog').waitFor({ state: 'detached' });
      await check(page);
    });
  };

  test.each([
    ['its button', async (page: Page) => await closeSheet(page)],
    ['its last button', async (page: Page) => await showResults(page)],
    ['a press beside it', async (page: Page) => await page.mouse.click(195, 10)],
  ])('applies when the sheet is closed by %s', async (_, close) => {
    await typeAndClose(close, async (page) => await page.waitForURL('**country=FR**'));
  });

  test('is discarded when Escape closes the sheet', async () => {
    await typeAndClose(
      async (page) => {
        const sheet = page.locator('dialog');
        // If a list of values is open, the first Escape closes only the list.
        const isOpenAfterEscape = async () => {
          await page.keyboard.press('Escape');
          return (await sheet.count()) > 0;
        };
        await expect.poll(isOpenAfterEscape).toBe(false);
      },
      async (page) => expect(page.url()).not.toContain('country'),
    );
  });

  const closeSheet = async (page: Page) =>
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  const showResults = async (page: Page) =>
    await page.getByRole('button', { name: 'Show results' }).click();
});

test('a reset of all filters discards a typed one', async () => {
  await kept({ ...ENGLISH, search: `${SEARCH}&device_type=mobile` }, async ({ page }) => {
    await typeCountry(page);
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    await page.waitForURL((url) => !url.search.includes('device_type'));
    // A typed text that was not discarded would be applied soon after the click.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))');
    expect(page.url()).not.toContain('country');
  });
});

const ENGLISH = { token: 'affiliate_en_token', language: 'en' } as const;

async function typeCountry(page: Page): Promise<void> {
  await page.getByLabel('Add a filter').selectOption('country');
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('FR');
}

// Only in the full run. In `npm test`, the tests below check that the page names invalid parts of an address.
test.runIf(IS_FULL)('an invalid date shows the accepted range and sends no request', async () => {
  await look(SEARCH, async ({ page }) => {
    await rows(page).first().waitFor();
    const dialog = await openPeriods(page);
    const from = dialog.getByLabel('From', { exact: true });
    // Filled at once: a pause while typing would apply a partial date that is valid.
    await from.fill('0202-01-01');
    await page.getByText('Enter two full dates between 31 Dec 1969 and 7 Feb 2106.').waitFor();
    expect(await from.getAttribute('aria-invalid')).toBe('true');
    await from.fill('2030-01-01');
    await page.getByText('The last day must not be before the first.').waitFor();
    await from.press('Enter');
    expect(await dialog.isVisible()).toBe(true);
    expect(new URL(page.url()).search).toBe(SEARCH);
  });
});

/** The texts of the notice in each language. */
const UNKNOWN_PARTS = [
  [
    'en',
    'These parts of the address are invalid and were ignored',
    'Remove from the address',
    ['Program abc', 'Country france', 'Status 9'],
  ],
  [
    'fr',
    'Ces parties de l’adresse sont invalides et ont été ignorées',
    'Retirer de l’adresse',
    ['Programme abc', 'Pays france', 'Statut 9'],
  ],
] as const;

describe.each(everyNth(UNKNOWN_PARTS, 2))(
  'unknown parts of an address (%s)',
  (language, what, forget, parts) => {
    const search = `${SEARCH}&program_id=abc&country=france&status=9&utm_source=mail`;
    const look = async (then: (page: Page, notice: Locator) => Promise<void>) =>
      await kept({ token: 'affiliate_en_token', language, search }, async ({ page }) => {
        const notice = page.getByRole('alert').filter({ hasText: what });
        await notice.waitFor();
        await then(page, notice);
      });

    test('are named, and removed by a button', async () => {
      await look(async (page, notice) => {
        const named = await notice.locator('li').allInnerTexts();
        expect(named.sort()).toEqual([...parts].sort());
        await notice.getByRole('button', { name: forget }).click();
        await page.waitForURL((address) => address.search === SEARCH);
        await notice.waitFor({ state: 'detached' });
        expect(await page.locator(':focus').textContent()).toMatch(
          language === 'en' ? /^Period / : /^Période /,
        );
      });
    });

    test('are removed when another order is chosen', async () => {
      await look(async (page, notice) => {
        await page.locator('.list th[aria-sort] button').click();
        await page.waitForURL((address) => address.search === `${SEARCH}&order=asc`);
        await notice.waitFor({ state: 'detached' });
      });
    });
  },
);

// Only in the full run. In `npm test`, the tests on a phone above check when a typed filter applies.
test.runIf(IS_FULL)(
  'the focus stays in a filter while typing, and moves on from a removed filter',
  async () => {
    await look(`${SEARCH}&device_type=mobile`, async ({ page }) => {
      await rows(page).first().waitFor();
      const expectFocusOn = async (label: string) =>
        await expect.poll(async () => await focused(page)).toBe(label);
      await page.getByLabel('Program', { exact: true }).fill('12');
      await page.keyboard.press('Enter');
      await page.waitForURL(/program_id=12/);
      await expectFocusOn('Program');
      await page.keyboard.type(',13');
      await page.keyboard.press('Enter');
      await page.waitForURL(/program_id=12,13/);
      await page.getByRole('button', { name: 'Remove the filter Program' }).press('Enter');
      await page.waitForURL((address) => !address.search.includes('program_id'));
      await expectFocusOn('Program');
      await page.getByLabel('Device', { exact: true }).press('Backspace');
      await page.waitForURL((address) => !address.search.includes('device_type'));
      await expectFocusOn('Device');
      await page.getByRole('button', { name: 'Remove the filter Device' }).press('Enter');
      await expectFocusOn('Add a filter');
      await page.getByLabel('Website', { exact: true }).fill('1');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Reset' }).press('Enter');
      await expectFocusOn('Add a filter');
      expect(await page.getByLabel('Website', { exact: true }).inputValue()).toBe('');
    });
  },
);

// A new page, because the test counts the steps of its history, and browsers keep at most 50 of them.
// Only in the full run. In `npm test`, view.test.ts checks how a typed value is read.
test.runIf(IS_FULL)(
  'a click outside a filter reaches its target, and the typed value applies',
  async () => {
    await visit(demo.stage, { search: SEARCH }, async ({ page }) => {
      await signIn(page, demo.tokens.affiliate_en_token);
      await rows(page).first().waitFor();
      const steps = async () => await page.evaluate<number>('history.length');
      const field = page.getByLabel('Program', { exact: true });
      const press = async (what: Locator) => {
        await what.hover();
        await page.mouse.down();
        // As slow as a person, so that the page renders between press and release.
        await page.waitForTimeout(150);
        await page.mouse.up();
      };
      await field.fill('12x');
      await press(page.getByRole('button', { name: 'Validated' }).first());
      await page.waitForURL(/status=1/);
      await page.getByText('Digits only').waitFor();
      await field.fill('107');
      await press(page.getByRole('button', { name: 'Pending' }).first());
      await page.waitForURL(
        ({ searchParams }) =>
          searchParams.get('status') === '1,2' && searchParams.get('program_id') === '107',
      );
      const before = await steps();
      await field.fill('107,102');
      await press(page.getByRole('button', { name: 'Remove the filter Program' }));
      await page.waitForURL((address) => !address.searchParams.has('program_id'));
      expect(await field.inputValue()).toBe('');
      expect(await steps()).toBe(before + 1);
      await field.fill('12');
      await press(page.getByRole('button', { name: 'Reset' }));
      await page.waitForURL((address) => address.search === SEARCH);
      expect(await field.inputValue()).toBe('');
      expect(await steps()).toBe(before + 2);
    });
  },
);

// Only in the full run. In `npm test`, view.test.ts checks the options and labels.
test.runIf(IS_FULL)('filters suggest known values, and accept other case and labels', async () => {
  const search = `${SEARCH}&country=FR&device_type=mobile`;
  await kept({ token: 'admin_token', language: 'fr', search }, async ({ page }) => {
    await page.locator('.group').nth(6).waitFor();
    await page.getByRole('button', { name: 'Réinitialiser' }).click();
    const offered = async (label: string) => {
      const field = page.getByRole('combobox', { name: label, exact: true });
      await field.press('ArrowDown');
      const options = page.getByRole('listbox', { name: `Valeurs : ${label}` });
      const texts = await options.getByRole('option').allInnerTexts();
      await field.press('Escape');
      return texts.map((text) => text.split('\n')[0] ?? '');
    };
    for (const name of ['Programmes', 'Diffuseurs', 'Pays', 'Appareils']) {
      await page.getByRole('region', { name, exact: true }).locator('.group').nth(2).waitFor();
    }
    expect((await offered('Diffuseur')).length).toBeGreaterThan(5);
    expect((await offered('Programme')).length).toBeGreaterThan(5);
    await page.getByLabel('Ajouter un filtre').selectOption('country');
    expect(await offered('Pays')).toEqual(
      expect.arrayContaining(['France FR', 'Allemagne DE', 'Belgique BE']),
    );
    await page.keyboard.type('FR,alle');
    expect(await offered('Pays')).toEqual(['Allemagne DE']);
    await page.getByRole('combobox', { name: 'Pays' }).fill('france, allemagne');
    await page.keyboard.press('Enter');
    await page.waitForURL(/country=FR,DE/);
    expect(await page.locator('.chip').allInnerTexts()).toEqual(['France', 'Allemagne']);
    await page.getByLabel('Ajouter un filtre').selectOption('device_type');
    expect(await offered('Appareil')).toEqual(expect.arrayContaining(['Ordinateur desktop']));
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('Ordinateur');
    await page.keyboard.press('Enter');
    await page.waitForURL(/device_type=desktop/);
  });
});

// Only in the full run. In `npm test`, view.test.ts checks how the page's URL holds several and excluded values.
test.runIf(IS_FULL)(
  'a picker checks several values by keyboard, and "is not" excludes them',
  async () => {
    await look(SEARCH, async ({ page }) => {
      await page.locator('.group').nth(4).waitFor();
      const field = page.getByLabel('Program', { exact: true });
      await field.press('ArrowDown');
      const options = page.getByRole('listbox', { name: 'Values: Program' }).getByRole('option');
      await field.press('ArrowDown');
      const active = async () => await field.getAttribute('aria-activedescendant');
      expect(await active()).toBe(await options.nth(1).getAttribute('id'));
      await field.press('Enter');
      await page.waitForURL(/program_id=\d+$/);
      expect(await options.nth(1).getAttribute('aria-selected')).toBe('true');
      await options.nth(0).click();
      await page.waitForURL(/program_id=\d+,\d+$/);
      const chosen = new URL(page.url()).searchParams.get('program_id');
      await field.press('Escape');
      await options.first().waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Program is', exact: true }).press('Enter');
      await page.waitForURL((address) => address.searchParams.get('exclude_program_id') === chosen);
      await page.getByLabel('Program is not', { exact: true }).waitFor();
      await expect.poll(async () => await focused(page)).toBe('Program is not');
      await page.getByRole('button', { name: 'Program is not', exact: true }).click();
      await page.waitForURL((address) => address.searchParams.get('program_id') === chosen);
      await page.getByRole('button', { name: 'Remove the filter Program' }).click();
      await page.getByLabel('Add a filter').selectOption('device_type');
      const device = page.getByLabel('Device', { exact: true });
      await device.press('ArrowDown');
      await device.press('Enter');
      await device.press('ArrowDown');
      await device.press('Enter');
      await page.waitForURL((address) => address.searchParams.getAll('device_type').length === 2);
      const devices = page.locator('form', { has: device });
      await expect.poll(async () => await devices.locator('.chip').count()).toBe(2);
      const [former = ''] = await devices.locator('.chip').allInnerTexts();
      await devices
        .getByRole('button', { name: /^Remove (?!the filter)/ })
        .last()
        .click();
      await page.waitForURL((address) => address.searchParams.getAll('device_type').length === 1);
      await device.press('Escape');
      await devices.getByRole('button', { name: `Edit ${former}` }).click();
      await expect.poll(async () => await focused(page)).toBe('Device');
      await page.keyboard.type('tablet');
      await page.keyboard.press('Enter');
      await page.waitForURL((address) => address.searchParams.get('device_type') === 'tablet');
      expect(await devices.locator('.chip').allInnerTexts()).toEqual(['Tablet']);
      // The filter is reset, because few transactions on tablets have a sub ID, and on some days none.
      await page.getByRole('button', { name: 'Reset' }).press('Enter');
      await page.getByLabel('Add a filter').selectOption('subid');
      const subIds = page.getByRole('listbox', { name: 'Values: Sub ID' }).getByRole('option');
      await page.getByLabel('Sub ID', { exact: true }).press('ArrowDown');
      await subIds.first().waitFor();
      expect(await subIds.first().textContent()).toMatch(/\d$/);
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  },
);

// Only in the full run. In `npm test`, view.test.ts checks how a value is toggled.
test.runIf(IS_FULL)(
  'editing a chip changes only its value, which stays when another chip is removed',
  async () => {
    const programs = (page: Page) =>
      new URL(page.url()).searchParams.get('program_id')?.split(',') ?? [];
    await look(`${SEARCH}&program_id=101,102,103`, async ({ page }) => {
      const field = page.getByLabel('Program', { exact: true });
      const form = page.locator('form', { has: field });
      const chips = async () => await form.locator('.chip').allInnerTexts();
      await expect.poll(chips).toEqual(['101', '102', '103']);
      await form.getByRole('button', { name: 'Edit 102' }).click();
      expect(await field.inputValue()).toBe('102');
      expect(await chips()).toEqual(['101', '103']);
      expect(programs(page)).toEqual(['101', '102', '103']);
      await page.keyboard.type('104');
      await page.keyboard.press('Enter');
      await expect.poll(() => programs(page)).toEqual(['101', '103', '104']);
      // An edited value that is not changed stays when another chip is removed.
      await form.getByRole('button', { name: 'Edit 104' }).click();
      await form.getByRole('button', { name: 'Remove 101' }).click();
      await expect.poll(() => programs(page)).toEqual(['103', '104']);
      await form.getByRole('button', { name: 'Edit 103' }).click();
      await page.keyboard.type('105');
      await page.keyboard.press('Enter');
      await expect.poll(() => programs(page)).toEqual(['104', '105']);
      await form.getByRole('button', { name: 'Edit 104' }).click();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await expect.poll(chips).toEqual(['104', '105']);
      expect(programs(page)).toEqual(['104', '105']);
    });
  },
);

// Only in the full run. In `npm test`, view.test.ts checks how a value is toggled.
test.runIf(IS_FULL)(
  'unchecking an option while a chip is edited removes only the value of the option',
  async () => {
    await look(SEARCH, async ({ page }) => {
      const field = page.getByLabel('Program', { exact: true });
      const form = page.locator('form', { has: field });
      const options = page.getByRole('listbox', { name: 'Values: Program' }).getByRole('option');
      const programs = () => new URL(page.url()).searchParams.get('program_id')?.split(',') ?? [];
      await field.click();
      for (const place of [0, 1, 2]) await options.nth(place).click();
      await expect.poll(() => programs().length).toBe(3);
      const [first = '', second = '', third = ''] = programs();
      await form.getByRole('button', { name: `Edit ${second}` }).click();
      await options.filter({ hasText: first }).first().click();
      await expect.poll(programs).toEqual([second, third]);
    });
  },
);

// Only in the full run. In `npm test`, journey.test.ts adds a filter by keys.
test.runIf(IS_FULL)(
  'Backspace removes the edited value before the chip next to it, one at a time',
  async () => {
    const programs = (page: Page) => new URL(page.url()).searchParams.get('program_id');
    await look(`${SEARCH}&program_id=101,102,103`, async ({ page }) => {
      const field = page.getByLabel('Program', { exact: true });
      const form = page.locator('form', { has: field });
      await form.getByRole('button', { name: 'Edit 101' }).click();
      await page.keyboard.press('Backspace');
      expect(await field.inputValue()).toBe('');
      expect(programs(page)).toBe('101,102,103');
      await page.keyboard.press('Backspace');
      await expect.poll(() => programs(page)).toBe('102,103');
      await page.keyboard.press('Backspace');
      await expect.poll(() => programs(page)).toBe('102');
      expect(await form.locator('.chip').allInnerTexts()).toEqual(['102']);
    });
  },
);

// Only in the full run. In `npm test`, names-and-currency.test.ts shows identifiers in place of missing names.
test.runIf(IS_FULL)('without a directory, no names of applied programs are requested', async () => {
  await visit(demo.stage, { search: `${SEARCH}&program_id=107` }, async ({ page, asked }) => {
    await signIn(page, demo.tokens.affiliate_en_token);
    await page.locator('.group').nth(2).waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    const isFacet = (url: string) => /performance\?.*sort=-sales/.test(url);
    expect(asked.filter(isFacet)).toEqual([]);
    await page.getByLabel('Program', { exact: true }).click();
    await expect.poll(() => asked.some(isFacet)).toBe(true);
  });
});

// Only in the full run. In `npm test`, view.test.ts checks excluded values.
test.runIf(IS_FULL)('an excluded status is named by its label', async () => {
  await look(`${SEARCH}&exclude_status=0`, async ({ page }) => {
    await page.getByRole('button', { name: 'Edit Refused' }).waitFor();
    await page.getByText('Earnings and conversion are not filtered by: Status is not.').waitFor();
  });
});

// A new page, because the test counts the steps of its history, and browsers keep at most 50 of them.
// Only in the full run. In `npm test`, view.test.ts checks that display options are no part of the query.
test.runIf(IS_FULL)('a change of display options adds no entry to the history', async () => {
  await visit(demo.stage, { search: SEARCH }, async ({ page }) => {
    await signIn(page, demo.tokens.affiliate_en_token);
    await rows(page).first().waitFor();
    const steps = await page.evaluate<number>('history.length');
    await page.getByRole('radio', { name: 'Remuneration' }).check({ force: true });
    await page.waitForURL(/measure=remuneration/);
    await page.locator('.list th[aria-sort] button').click();
    await page.waitForURL(/order=asc/);
    expect(await page.evaluate<number>('history.length')).toBe(steps);
    await page.getByRole('button', { name: 'Validated' }).first().click();
    await page.waitForURL(/status=1/);
    await page.goBack();
    expect(new URL(page.url()).search).toBe(`${SEARCH}&order=asc&measure=remuneration`);
  });
});

// Only in the full run. In `npm test`, list.test.ts shows a forbidden query, and screens.test.ts an empty list.
test.runIf(IS_FULL)('an empty list says what to do, and a refused query says why', async () => {
  await look(`${SEARCH}&clickid=nothing`, async ({ page }) => {
    await page.getByText('No transactions match this query.').waitFor();
    await page.getByText('Choose a longer period or remove a filter.').waitFor();
  });
  await visit(demo.stage, { search: `${SEARCH}&publisher_id=1` }, async ({ page }) => {
    await signIn(page, demo.tokens.affiliate_token);
    await page.getByText('Ce site n’est pas l’un des vôtres.').first().waitFor();
  });
});

// Only in the full run. In `npm test`, a test above reads the rows of a list in both orders.
test.runIf(IS_FULL)('the queried date has a column, whose header reverses the order', async () => {
  const search = `${SEARCH}&date_field=validation_date`;
  await look(search, async ({ page }) => {
    await rows(page).first().waitFor();
    const heads = await page.locator('.grid th').allInnerTexts();
    expect(heads.slice(0, 2)).toEqual(['Validated on ↓', 'Created']);
    await page.getByRole('button', { name: /^Validated on/ }).click();
    await page.waitForURL(/order=asc/);
    const [oldest] = await apiSays(page, 'affiliate', demo.tokens.affiliate_en_token, '', {
      limit: 1,
    });
    await expect
      .poll(async () => await rows(page).first().textContent())
      .toContain(String(oldest?.transaction_id));
    await page.getByRole('button', { name: 'Columns' }).click();
    const box = page.getByRole('dialog').getByLabel('Validated on', { exact: true });
    expect(await box.isChecked()).toBe(true);
    expect(await box.isDisabled()).toBe(true);
  });
});

// Only in the full run. In `npm test`, journey.test.ts removes a column by keyboard, also after a reload.
test.runIf(IS_FULL)('columns can be chosen and moved, and are remembered', async () => {
  await visit(demo.stage, { search: SEARCH }, async ({ page }) => {
    const heads = async () => await page.locator('.grid th').allInnerTexts();
    await signIn(page, demo.tokens.affiliate_en_token);
    await rows(page).first().waitFor();
    expect((await heads()).slice(0, 2)).toEqual(['Created ↓', 'Status']);
    await page.getByRole('button', { name: 'Columns' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Move Status up' }).click();
    await sheet.getByLabel('Browser', { exact: true }).check();
    await sheet.getByLabel('Country', { exact: true }).uncheck();
    const items = sheet.locator('.column-list li');
    const place = async (name: string) =>
      (await items.allInnerTexts()).findIndex((text) => text.startsWith(name));
    const [website, program] = [await place('Website'), await place('Program')];
    expect(website).toBe(program + 1);
    await items.first().scrollIntoViewIfNeeded();
    const [from, to] = [
      await items.nth(website).boundingBox(),
      await items.nth(program).boundingBox(),
    ];
    if (from === null || to === null) throw new Error('There is no column.');
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
    await page.mouse.up();
    await expect.poll(async () => await place('Website')).toBe(program);
    await page.keyboard.press('Escape');
    await rows(page).first().waitFor();
    await page.reload();
    await rows(page).first().waitFor();
    const names = await heads();
    expect(names.slice(0, 2)).toEqual(['Status', 'Created ↓']);
    expect(names).toContain('Browser');
    expect(names.indexOf('Website')).toBe(names.indexOf('Program') - 1);
    expect(names).not.toContain('Country');
  });
});
