import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { recentMonths } from '../../../explorer/src/performance/money/money-periods.ts';
import { keptPages } from '../../support/pages/kept-pages.ts';
import {
  choosePeriod,
  demoStage,
  openPeriods,
  READERS,
  signIn,
  visit,
} from '../../support/programs/explorer.ts';
import { everyNth } from '../../support/run/sampled.ts';
import { IS_FULL } from '../../support/run/test-extent.ts';

const demo = demoStage(20_000);
const kept = keptPages(demo);

type Json = Readonly<Record<string, string | number | null>>;

async function performance(role: string, token: string, query: Readonly<Record<string, string>>) {
  const path = `/reports/api/${role}/performance?${new URLSearchParams(query)}`;
  const response = await demo.stage.service.get(path, token);
  expect(response.status, path).toBe(200);
  return (await response.json()) as readonly Json[];
}

const DAY = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

/** The last day of the demo data. It is yesterday, unless midnight has passed since the data were made. */
async function lastDay(): Promise<string> {
  const days = await performance('admin', demo.tokens.admin_token, {
    start_date: ago(3),
    end_date: ago(0),
    group_by: 'day',
  });
  return String(days.at(-1)?.day);
}

/** Today in the time zone of the platform. */
const today = (): string => new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Paris' });

/** The last whole month. */
function lastMonth() {
  const last = new Date(Date.parse(`${today().slice(0, 8)}01`) - DAY).toISOString().slice(0, 10);
  return { start_date: `${last.slice(0, 8)}01`, end_date: last };
}

/** The months for which the page shows pending and paid amounts. */
function months() {
  const { start, end } = recentMonths(today());
  return { start_date: start, end_date: end };
}

const money = (language: string) => {
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: 2 });
  return (value: unknown) => format.format(Math.round(Number(value) * 100) / 100);
};

const earnings = (page: Page) => page.locator('.earnings-value');

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const look = async (
  search: string,
  token: 'admin_token' | 'affiliate_en_token',
  what: (page: Page, asked: readonly string[]) => Promise<void>,
) =>
  await kept({ token, search }, async ({ page, asked }) => {
    await page.locator('.earnings-value', { hasText: /\d/ }).waitFor();
    await what(page, asked);
  });

/** Refuses requests as the service does. */
async function refuse(page: Page, path: RegExp, status: number, code: string): Promise<void> {
  const json = { status, code, title: 'x', detail: 'x', request_id: 'x' };
  const contentType = 'application/problem+json';
  await page.route(path, async (route) => await route.fulfill({ status, contentType, json }));
}

// In `npm test`, only as an administrator. The table of performance below is tested as an affiliate.
describe.each(everyNth(READERS, 2))('%s (%s, %s)', (_, role, language, name) => {
  test('sees the earnings and the conversion of the API first', async () => {
    await visit(demo.stage, { search: '?type=sales&period=last-month' }, async ({ page }) => {
      await page.getByLabel(/Language|Langue/).selectOption(language);
      await signIn(page, demo.tokens[name]);
      const [sums = {}] = await performance(role, demo.tokens[name], {
        ...lastMonth(),
        compare: 'previous',
      });
      const amount = money(language);
      await page.getByText(amount(sums.earnings), { exact: true }).first().waitFor();
      expect(await earnings(page).textContent()).toBe(amount(sums.earnings));
      await page.locator('.earnings-change', { hasText: amount(sums.former_earnings) }).waitFor();
      const paid = role === 'admin' ? 'remu_publisher' : 'remuneration';
      expect(await page.locator('.split-parts dd').allTextContents()).toEqual(
        ['validated', 'pending', 'refused'].map((status) => amount(sums[`${paid}_${status}`])),
      );
      const count = new Intl.NumberFormat(language);
      expect(await page.locator('.funnel-count').allTextContents()).toEqual(
        [sums.impressions, sums.clics, sums.leads, sums.sales].map((one) =>
          count.format(Number(one)),
        ),
      );
      const rate = new Intl.NumberFormat(language, {
        style: 'percent',
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
      });
      const figures = await page.locator('.figure-value').allTextContents();
      expect(figures[0]).toBe(rate.format(Number(sums.conversion_rate)));
      expect(figures.length).toBe(role === 'admin' ? 6 : 3);
      expect(await page.locator('.comparison').textContent()).not.toBe('');
    });
  });
});

test('"how much did I earn last month, and why less than before?" takes two clicks', async () => {
  await look('', 'affiliate_en_token', async (page) => {
    await choosePeriod(page, 'Last month');
    const query = { ...lastMonth(), compare: 'previous' };
    const token = demo.tokens.affiliate_en_token;
    const [sums = {}] = await performance('affiliate', token, query);
    const amount = money('en-GB');
    await expect.poll(async () => await earnings(page).textContent()).toBe(amount(sums.earnings));
    await page.locator('.earnings-change', { hasText: amount(sums.former_earnings) }).waitFor();
    const programs = await performance('affiliate', token, { ...query, group_by: 'program_id' });
    const largest = Math.max(
      ...programs.map((one) => Math.abs(Number(one.earnings) - Number(one.former_earnings))),
    );
    const first = card(page, 'Largest changes by program').locator('.money-item').first();
    await expect
      .poll(async () => (await first.locator('.money-value').textContent())?.replace(/^[+-]/, ''))
      .toBe(amount(largest));
    await first.click();
    await page.waitForURL(/program_id=\d+/);
  });
});

test('"what is not yet validated from before last month?" is answered, and one click lists it', async () => {
  await look('', 'affiliate_en_token', async (page) => {
    const pending = card(page, 'Not yet validated');
    const end = `${lastMonth().start_date.slice(0, 7)}`;
    const before = await performance('affiliate', demo.tokens.affiliate_en_token, {
      ...months(),
      group_by: 'month',
    });
    const sum = before
      .filter(({ month }) => String(month) < end)
      .reduce((all, one) => all + Number(one.remuneration_pending), 0);
    const item = pending.locator('.pending-before .money-item');
    await expect
      .poll(async () => await item.locator('.money-value').textContent())
      .toBe(money('en-GB')(sum));
    await item.click();
    await page.waitForURL(/status=2/);
    const asked = new URL(page.url()).searchParams;
    expect(String(asked.get('end_date')) < lastMonth().start_date).toBe(true);
    await page.getByText('Not compared, because a status filter applies').waitFor();
    await page.getByText('are not filtered by: Status.').waitFor();
    expect(await page.locator('.total-change').allTextContents()).toEqual(['', '']);
  });
});

test('an affiliate sees the payments, and what is validated but not paid', async () => {
  await look('', 'affiliate_en_token', async (page) => {
    const groups = await performance('affiliate', demo.tokens.affiliate_en_token, {
      ...months(),
      group_by: 'payment_id',
    });
    const unpaid = groups.find(({ payment_id: id }) => id === null);
    const payments = card(page, 'Payments').locator('.money-item');
    await payments.nth(1).waitFor();
    const amount = money('en-GB');
    expect(await payments.first().locator('.money-value').textContent()).toBe(
      amount(unpaid?.remuneration_validated),
    );
    const id = await payments.nth(1).locator('.money-label').textContent();
    const newest = groups.find(({ payment_id: one }) => one === id);
    expect(await payments.nth(1).locator('.money-value').textContent()).toBe(
      amount(newest?.remuneration_validated),
    );
  });
});

describe('the table of performance', () => {
  // Only in the full run. In `npm test`, figures.test.ts checks the line and its requests.
  test.runIf(IS_FULL)(
    'has a line of the earnings over time in each row, from one request for the shown rows',
    async () => {
      // No other test has this filter, so that nothing is cached.
      const search = '?type=sales&period=last-month&exclude_country=DE';
      await look(search, 'affiliate_en_token', async (page, asked) => {
        const lines = page.locator('.tables .trend path');
        await expect.poll(async () => await lines.count()).toBe(8);
        const [request = '', ...others] = asked.filter((url) =>
          /performance\?.*group_by=day/.test(url),
        );
        expect(others).toEqual([]);
        const parameters = new URL(request).searchParams;
        expect(parameters.get('program_id')?.split(',')).toHaveLength(8);
        const [best] = parameters.get('program_id')?.split(',') ?? [];
        const days = await performance('affiliate', demo.tokens.affiliate_en_token, {
          ...lastMonth(),
          group_by: 'day',
          exclude_country: 'DE',
          program_id: best ?? '',
        });
        const highest = Math.max(...days.map(({ earnings }) => Number(earnings)));
        const path = (await lines.first().getAttribute('d')) ?? '';
        const last = Number(lastMonth().end_date.slice(8)) - 1;
        expect(path.match(/[ML]/g)).toHaveLength(last + 1);
        for (const { day, earnings } of days) {
          const place = Number(String(day).slice(8)) - 1;
          const [, y] = new RegExp(`[ML]${place} ([\\d.]+)`).exec(path) ?? [];
          expect(Number(y)).toBeCloseTo(1 - Number(earnings) / highest);
        }
      });
    },
  );

  const cells = async (page: Page, column: number) =>
    await page.locator(`.tables tbody tr > :nth-child(${column})`).allTextContents();

  test('answers "which sub id converts best?" in two clicks', async () => {
    await look('?type=sales&period=last-month', 'affiliate_en_token', async (page) => {
      const table = page.locator('.tables');
      await table.getByRole('radio', { name: 'Sub IDs' }).check({ force: true });
      await table.getByRole('button', { name: 'Conversion' }).click();
      await page.waitForURL(/table=subid&sort=-conversion_rate/);
      const groups = await performance('affiliate', demo.tokens.affiliate_en_token, {
        ...lastMonth(),
        group_by: 'subid',
        sort: '-conversion_rate',
      });
      const rate = new Intl.NumberFormat('en-GB', {
        style: 'percent',
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
      });
      const percent = (value: unknown) => (value === null ? '–' : rate.format(Number(value)));
      await expect
        .poll(async () => await cells(page, 4))
        .toEqual(groups.slice(0, 8).map((one) => percent(one.conversion_rate)));
      expect(await cells(page, 1)).toEqual(
        groups.slice(0, 8).map(({ subid }) => String(subid ?? 'Unknown')),
      );
      expect(await table.locator('th', { hasText: 'Conversion' }).getAttribute('aria-sort')).toBe(
        'descending',
      );
      await table.locator('.group-filter').first().click();
      await page.waitForURL(/&subid=/);
      expect(await table.locator('.group-filter').first().getAttribute('aria-pressed')).toBe(
        'true',
      );
    });
  });

  // Only in the full run. In `npm test`, figures.test.ts checks the search, and downloads.test.ts the API's files.
  test.runIf(IS_FULL)(
    'opens in full with an address of its own, is searched, and downloaded as CSV for spreadsheets',
    async () => {
      const search = '?type=sales&period=last-month&table=publisher_id';
      await look(search, 'admin_token', async (page) => {
        await page.locator('.tables').getByRole('button', { name: 'All rows' }).click();
        await page.waitForURL(/full=true/);
        const sheet = page.getByRole('dialog', { name: 'Performance' });
        const query = {
          ...lastMonth(),
          group_by: 'publisher_id',
          names: 'true',
          sort: '-earnings',
          compare: 'previous',
        };
        const groups = await performance('admin', demo.tokens.admin_token, query);
        await sheet.getByText(`Rows: ${groups.length}`).waitFor();
        const id = String(groups.at(-1)?.publisher_id);
        await sheet.getByRole('searchbox').fill(id);
        await expect.poll(async () => await sheet.locator('tbody tr').count()).toBe(1);
        const downloading = page.waitForEvent('download');
        await sheet.getByRole('button', { name: 'CSV' }).click();
        const download = await downloading;
        const { start_date: start, end_date: end } = lastMonth();
        expect(download.suggestedFilename()).toBe(`performance_publisher_id_${start}_${end}.csv`);
        const parameters = new URLSearchParams({ ...query, format: 'csv', csv: 'excel-en' });
        const csv = await demo.stage.service.get(
          `/reports/api/admin/performance?${parameters}`,
          demo.tokens.admin_token,
        );
        const saved = await readFile(await download.path());
        expect(saved.equals(Buffer.from(await csv.arrayBuffer()))).toBe(true);
        await page.goBack();
        await sheet.waitFor({ state: 'detached' });
      });
    },
  );

  // Only in the full run. In `npm test`, error-messages.test.ts checks the texts of problems.
  test.runIf(IS_FULL)(
    'shows why the service refuses its CSV, and signs out if the access has ended',
    async () => {
      const search = '?type=sales&period=last-month&table=publisher_id&full=true';
      await visit(demo.stage, { search }, async ({ page }) => {
        await signIn(page, demo.tokens.admin_token);
        const sheet = page.getByRole('dialog', { name: 'Performance' });
        await refuse(
          page,
          /\/performance\?.*(format=csv|limit=1(&|$))/,
          403,
          'publisher_forbidden',
        );
        await sheet.getByRole('button', { name: 'CSV' }).click();
        await sheet.getByText('This publisher is not one of yours.').waitFor();
        await sheet.getByRole('radio', { name: 'Programs' }).check({ force: true });
        await page.waitForURL(/table=program_id|^(?!.*table=)/);
        await sheet.getByText(/^performance_publisher_id_.*\.csv$/).waitFor();
        await refuse(page, /\/api\/admin\//, 401, 'token_revoked');
        await sheet.getByRole('button', { name: 'CSV' }).click();
        await sheet.waitFor({ state: 'detached' });
        await page.getByText('Your access was revoked.').waitFor();
      });
    },
  );
});

describe('the comparison', () => {
  test('shows no change for rows without former values, which stay until others are loaded', async () => {
    const search = '?type=sales&period=last-month&compare=none';
    await visit(demo.stage, { search }, async ({ page }) => {
      await signIn(page, demo.tokens.admin_token);
      const rows = page.locator('.performance-rows tbody tr');
      await rows.first().waitFor();
      await refuse(page, /compare=previous.*group_by=program_id/, 403, 'publisher_forbidden');
      const dialog = await openPeriods(page);
      await dialog.getByLabel('Compare with').selectOption('previous');
      await page.locator('.notice').first().waitFor();
      expect(await rows.count()).toBeGreaterThan(1);
      expect(await page.locator('.cell-change').count()).toBe(0);
      await card(page, 'Top programs').locator('.money-item').first().waitFor();
      expect(await page.locator('main').textContent()).not.toContain('NaN');
    });
  });

  // Only in the full run. In `npm test`, figures.test.ts checks changes from a former period.
  test.runIf(IS_FULL)('is chosen, and the choice is in the address', async () => {
    await look('?type=sales&period=last-month', 'affiliate_en_token', async (page) => {
      await page.locator('.earnings-change', { hasText: /\d|new/ }).waitFor();
      const dialog = await openPeriods(page);
      await dialog.getByLabel('Compare with').selectOption('year');
      await page.waitForURL(/compare=year/);
      const year = Number(lastMonth().start_date.slice(0, 4)) - 1;
      await page.locator('.comparison', { hasText: String(year) }).waitFor();
      await dialog.getByLabel('Compare with').selectOption('none');
      await page.waitForURL(/compare=none/);
      await expect.poll(async () => await page.locator('.comparison').textContent()).toBe('');
      expect(await page.locator('.earnings-change').textContent()).toBe('');
      await card(page, 'Top programs').locator('.money-item').first().waitFor();
    });
  });

  // Only in the full run. In `npm test`, figures.test.ts checks which hours are over.
  test.runIf(IS_FULL)(
    'of today with the day before ends with the last hour that is over',
    async () => {
      // The clock of the page shows 12:30 UTC on this day.
      const day = await lastDay();
      await visit(demo.stage, { search: '?type=sales&period=today' }, async ({ page }) => {
        await page.clock.setFixedTime(`${day}T12:30:00Z`);
        await page.reload();
        await signIn(page, demo.tokens.admin_token);
        const hours = await performance('admin', demo.tokens.admin_token, {
          start_date: day,
          end_date: day,
          group_by: 'hour',
          compare: 'previous',
        });
        const words = page.locator('.comparison', { hasText: /both until 1[34]:00$/ });
        await words.waitFor();
        const until = `${day} ${/\d+:00$/.exec((await words.textContent()) ?? '')?.[0]}`;
        const sum = (rows: readonly Json[], field: string) =>
          rows.reduce((all, one) => all + Number(one[field]), 0);
        const amount = money('en-GB');
        expect(await earnings(page).textContent()).toBe(amount(sum(hours, 'earnings')));
        const over = hours.filter(({ hour }) => String(hour) < until);
        expect(await page.locator('.earnings-change').textContent()).toContain(
          amount(sum(over, 'former_earnings')),
        );
      });
    },
  );
});

test('numbers of today are compared until the hour in which they were loaded', async () => {
  const day = await lastDay();
  await visit(demo.stage, { search: '?type=sales&period=today' }, async ({ page }) => {
    await page.clock.setFixedTime(`${day}T07:10:00Z`);
    await page.reload();
    await signIn(page, demo.tokens.admin_token);
    const until = page.locator('.comparison', { hasText: /both until 0[89]:00$/ });
    await until.waitFor();
    const incomplete = async () => await page.locator('.bar.incomplete').getAttribute('aria-label');
    expect(await incomplete()).toMatch(/\b0[89]:00\b/);
    await page.clock.setFixedTime(`${day}T13:10:00Z`);
    await page.locator('.total input').nth(1).check({ force: true });
    expect(await until.count()).toBe(1);
    expect(await incomplete()).toMatch(/\b0[89]:00\b/);
  });
});

test('cards of money are left out if their numbers could not be loaded', async () => {
  await visit(demo.stage, { search: '?type=sales&period=last-month' }, async ({ page }) => {
    // The client does not wait this long for a retry.
    const refusal = { status: 503, headers: { 'retry-after': '3600' } };
    await page.route(
      /\/performance\?.*group_by=age/,
      async (route) => await route.fulfill(refusal),
    );
    await signIn(page, demo.tokens.affiliate_en_token);
    await page.locator('.notice').waitFor();
    await page.locator('.money-card .money-item').first().waitFor();
    await expect.poll(async () => await page.locator('.money-card').count()).toBe(1);
  });
});

// Only in the full run. In `npm test`, screens.test.ts and figures.test.ts check empty lists and sums.
test.runIf(IS_FULL)('an affiliate without any transaction sees first steps', async () => {
  const token = await demo.stage.service.token({
    role: 'affiliate',
    publisherIds: [1],
    programIds: [],
    locale: 'en',
  });
  await visit(demo.stage, {}, async ({ page }) => {
    await signIn(page, token);
    await page.getByRole('heading', { name: 'No transactions yet' }).waitFor();
    expect(await page.getByText('remove a filter').count()).toBe(0);
    await page.getByText('Choose a longer period.').waitFor();
  });
});

// Only in the full run. In `npm test`, questions.test.ts checks invalid values in the page's URL.
test.runIf(IS_FULL)('after a wrong value, a filter shows which value still applies', async () => {
  await look('?type=sales&period=last-month&country=FR', 'affiliate_en_token', async (page) => {
    await page.getByRole('combobox', { name: 'Country' }).fill('Atlantis');
    await page.keyboard.press('Enter');
    await page.getByText('Still filtered by FR.').waitFor();
    expect(new URL(page.url()).searchParams.get('country')).toBe('FR');
  });
});
