import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { formatsOf } from '../../explorer/src/ui/formats.ts';
import { keptPages, type Look } from '../support/pages/kept-pages.ts';
import {
  choosePeriod,
  demoStage,
  signIn,
  type VisitOptions,
  visit,
} from '../support/programs/explorer.ts';
import { IS_FULL } from '../support/run/test-extent.ts';
import { accessibilityFaults, OPEN_SHEET } from '../support/servers/accessibility.ts';

// Only in the full run. In `npm test`, questions.test.ts compares sums, chart and groups with the API and
// opens groups and bars, overview/chart.test.ts tests periods, and screens.test.ts widths and sheets.

const demo = demoStage(20_000);

const DAY = 86_400_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
/** One instant for the whole file, whose tests may run past midnight. */
const NOW = Date.now();
const ago = (days: number): string => dayOf(NOW - days * DAY);
const daysFrom = (start: string, end: string): string => `start_date=${start}&end_date=${end}`;

/** The demo data end yesterday. MONTH is within them, and TWO_YEARS ends later. */
const MONTH = daysFrom(ago(100), ago(71));
const TWO_YEARS = daysFrom(ago(720), ago(-10));

/** Evaluates `number`, such as `one.clientHeight`, for each element `one`. */
const measured = async (page: Page, selector: string, number: string) =>
  await page.evaluate<readonly number[]>(
    `[...document.querySelectorAll('${selector}')].map((one) => Math.round(${number}))`,
  );

/** Whose token a test uses. In the demo, an administrator has sales on each day, but an affiliate does not. */
type Token = 'admin_token' | 'affiliate_token' | 'affiliate_en_token';

type What = (page: Page) => Promise<void>;

const kept = keptPages(demo);

const look = async (token: Token, options: Omit<Look, 'token'>, what: What) =>
  await kept({ token, ...options }, async ({ page }) => await what(page));

/** Runs a test on a new page, which has loaded nothing yet. */
const lookAnew = async (token: Token, options: VisitOptions, what: What) =>
  await visit(demo.stage, options, async ({ page }) => {
    await signIn(page, demo.tokens[token]);
    await what(page);
  });

const chart = (page: Page) => page.locator('.chart');

const settled = async (page: Page) => {
  await page.locator('.group').nth(3).waitFor();
  const busy = page.locator(':is(.glance, .tops) [aria-busy="true"]');
  await busy.first().waitFor({ state: 'detached' });
};

/** Holds back requests for summaries until they are released. */
async function holdSummaries(page: Page): Promise<() => void> {
  const line = Promise.withResolvers<void>();
  await page.route(/\/summary\?/, async (route) => {
    await line.promise;
    // The page may have cancelled the request.
    await route.continue().catch(() => undefined);
  });
  return line.resolve;
}

const totals = (page: Page) => page.locator('.total-value');
const saysLoading = (page: Page) =>
  page.locator('.glance > [role="status"]', { hasText: 'Loading' });

describe.runIf(IS_FULL)('on a slow connection', () => {
  test('the counts of the statuses move nothing when they arrive', async () => {
    await lookAnew('affiliate_en_token', { search: `?type=sales&${MONTH}` }, async (page) => {
      await settled(page);
      const places = async () =>
        await measured(page, '.filters button', 'one.getBoundingClientRect().left');
      const counts = page.locator('.toggles [aria-describedby]');
      const go = await holdSummaries(page);
      await page.getByRole('radio', { name: 'Leads', exact: true }).check({ force: true });
      await counts.first().waitFor({ state: 'detached' });
      const before = await places();
      expect(before.length).toBeGreaterThan(3);
      go();
      await settled(page);
      expect(await counts.count()).toBe(3);
      expect(await places()).toEqual(before);
    });
  });

  test('content of the previous query is dimmed, also with reduced motion', async () => {
    const options = { search: `?type=sales&${MONTH}`, reducedMotion: 'reduce' } as const;
    await lookAnew('admin_token', options, async (page) => {
      await settled(page);
      const before = await totals(page).allInnerTexts();
      const ticks = await page.locator('.ticks').textContent();
      const go = await holdSummaries(page);
      await choosePeriod(page, 'Last 7 days');
      await saysLoading(page).waitFor({ state: 'attached' });
      expect(await totals(page).allInnerTexts()).toEqual(before);
      expect(await page.locator('.ticks').textContent()).toBe(ticks);
      const parts = '.totals, .chart, .top-groups';
      expect(await measured(page, parts, '100 * getComputedStyle(one).opacity')).toEqual(
        Array(6).fill(50),
      );
      go();
      await settled(page);
      expect(await page.locator('.old').count()).toBe(0);
      expect(await page.locator('.ticks').textContent()).not.toBe(ticks);
    });
  });

  test('no zero appears before a response arrives, and the layout reserves its space', async () => {
    await visit(demo.stage, { search: `?type=sales&${MONTH}` }, async ({ page }) => {
      const go = await holdSummaries(page);
      await signIn(page, demo.tokens.admin_token);
      await saysLoading(page).waitFor({ state: 'attached' });
      expect(new Set(await page.locator('.legend strong').allInnerTexts())).toEqual(new Set('…'));
      expect(await page.locator('.lines li').count()).toBe(0);
      expect(await page.locator('.group-shade').count()).toBe(20);
      const heights = async () => await measured(page, '.chart, .top-groups', 'one.clientHeight');
      const atFirst = await heights();
      go();
      await settled(page);
      expect(await heights()).toEqual(atFirst);
    });
  });
});

test.runIf(IS_FULL).each([
  ['count', 'Sales', 0],
  ['remuneration', 'Remuneration', 2],
])('the sum %s shows its validated and pending parts', async (name, title, places) => {
  const search = `?type=sales&${daysFrom(ago(40), ago(1))}`;
  await look('affiliate_en_token', { search }, async (page) => {
    await settled(page);
    const address = `/reports/api/affiliate/transactions/summary${search}&group_by=status`;
    const response = await demo.stage.service.get(address, demo.tokens.affiliate_en_token);
    const groups = (await response.json()) as readonly Record<string, unknown>[];
    const written = (status: string): string =>
      Number(groups.find((group) => group.status === status)?.[name]).toLocaleString('en-GB', {
        minimumFractionDigits: places,
        maximumFractionDigits: 2,
      });
    const card = page.locator('.total', { has: page.getByText(title, { exact: true }) });
    const parts = await card.locator('.total-parts').textContent();
    expect(parts?.replaceAll('\u00a0', ' ')).toBe(
      `of which ${written('1')} validated, ${written('2')} pending`,
    );
  });
});

describe.runIf(IS_FULL)('the comparison with the period before', () => {
  const changeOf = async (page: Page) => {
    await settled(page);
    await page.locator('.total-change', { hasText: /\d/ }).first().waitFor();
    return [page.locator('.total-change').first(), page.locator('.comparison')] as const;
  };

  test('says only once that today is incomplete, and shows an arrow instead of a sign', async () => {
    const open = { search: '?type=sales&period=last-30-days' };
    await look('affiliate_en_token', open, async (page) => {
      const [, days] = await changeOf(page);
      expect(await days.textContent()).toContain('today is incomplete');
      expect(await page.getByText('today is incomplete').count()).toBe(1);
    });
    await look('affiliate_en_token', { search: `?type=sales&${MONTH}` }, async (page) => {
      const [change, days] = await changeOf(page);
      expect(await days.textContent()).toMatch(/^Compared with \d+ \w+( \d+)? to \d+ \w+ \d{4}$/);
      const seen = await change.locator('[aria-hidden]').textContent();
      expect(seen).toMatch(/^([▲▼] )?[\d,.]+%$/);
      expect(await change.locator('.hidden').textContent()).toMatch(/^([+-][\d,.]+|0)%$/);
    });
  });

  test.each([
    ['affiliate_en_token', 'en-GB', '2025-01-01', 'No data on 31 Dec 2024'],
    ['affiliate_en_token', 'en-GB', '2025-01-03', 'No data from 29 Dec to 31 Dec 2024'],
    ['affiliate_token', 'fr-FR', '2025-01-01', 'Aucune donnée le 31 déc. 2024'],
    ['affiliate_token', 'fr-FR', '2025-01-03', 'Aucune donnée du 29 déc. au 31 déc. 2024'],
  ] as const)('as %s in %s until %s says: %s', async (token, locale, end, words) => {
    const search = `?type=sales&${daysFrom('2025-01-01', end)}`;
    await look(token, { search, locale }, async (page) => {
      await page.locator('.comparison', { hasText: words }).waitFor();
      expect((await page.locator('.total-change').allInnerTexts()).join('')).toBe('');
    });
  });

  test('writes days and periods in correct French', async () => {
    for (const [days, words] of [
      [1, /Par rapport au \d/],
      [30, /Par rapport à la période du \d.* au \d/],
    ] as const) {
      const search = `?type=clics&${daysFrom(ago(29 + days), ago(30))}`;
      await look('affiliate_token', { search, locale: 'fr-FR' }, async (page) => {
        await page.locator('.comparison', { hasText: words }).waitFor();
      });
    }
  });
});

test.runIf(IS_FULL)('the first and the last bar name only days of the period', async () => {
  // From a Thursday to a Tuesday, in weeks that begin on Mondays.
  const start = Date.now() - (200 + ((new Date().getUTCDay() + 6) % 7)) * DAY;
  const end = start + 145 * DAY;
  const { period } = formatsOf('en-GB');
  // Node.js and the browser may write different spaces around the dash.
  const close = (text: string | null) => (text ?? '').replaceAll(/\s/g, '');
  const first = period(dayOf(start), dayOf(start + 3 * DAY));
  const last = period(dayOf(end - DAY), dayOf(end));
  const search = `?type=sales&${daysFrom(dayOf(start), dayOf(end))}`;
  await look('affiliate_en_token', { search }, async (page) => {
    await settled(page);
    await page.getByText('As a table').click();
    const heads = page.locator('.numbers tbody th .where-wide');
    for (const [place, days] of [
      ['first', first],
      ['last', last],
    ] as const) {
      const bar = page.locator('.bar')[place]();
      await bar.hover();
      expect(close(await page.locator('.tip').textContent())).toContain(close(days));
      expect(close(await bar.getAttribute('aria-label'))).toContain(`${close(days)}:`);
      expect(close(await heads[place]().textContent())).toBe(close(days));
    }
  });
});

describe.runIf(IS_FULL)('a second click removes the filter', () => {
  const asked = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
  const pressed = (page: Page) => page.locator('.group[aria-pressed="true"] .group-name');

  test('of a program, a website, a country and a device', async () => {
    await look('admin_token', { search: `?type=sales&${MONTH}` }, async (page) => {
      const groups = [
        [0, 'program_id'],
        [1, 'publisher_id'],
        [2, 'country'],
        [3, 'device_type'],
      ] as const;
      for (const [place, name] of groups) {
        await settled(page);
        const group = page.locator('.top-groups').nth(place).locator('.group').first();
        const id = name.endsWith('_id') ? await group.locator('.group-name').textContent() : '';
        await group.click();
        await page.waitForURL(new RegExp(`${name}=${id}`));
        expect(await group.getAttribute('aria-pressed')).toBe('true');
        await group.click();
        await page.waitForURL((address) => !address.searchParams.has(name));
      }
    });
  });

  test('and keeps the other values of the filter', async () => {
    const search = `?type=sales&${MONTH}&program_id=107,102&country=fr,be`;
    await look('admin_token', { search }, async (page) => {
      await settled(page);
      await expect
        .poll(async () => (await pressed(page).allInnerTexts()).sort())
        .toEqual(['102', '107', 'Belgium', 'France']);
      await page.locator('.group', { hasText: '107' }).click();
      await expect.poll(() => asked(page, 'program_id')).toBe('102');
      await page.locator('.group', { hasText: 'Belgium' }).click();
      await expect.poll(() => asked(page, 'country')).toBe('FR');
    });
  });

  test('of a status in the legend', async () => {
    await look('admin_token', { search: `?type=sales&${MONTH}` }, async (page) => {
      await settled(page);
      const refused = page.locator('.legend').getByRole('button', { name: /Refused/ });
      expect(await refused.getAttribute('aria-pressed')).toBe('false');
      await refused.click();
      await page.waitForURL(/status=0/);
      expect(await refused.getAttribute('aria-pressed')).toBe('true');
      await refused.click();
      await page.waitForURL((address) => !address.searchParams.has('status'));
    });
  });
});

test.runIf(IS_FULL).each([
  { width: 1280, locale: 'fr-FR' },
  { width: 768, locale: 'en-GB' },
  { width: 390, locale: 'fr-FR' },
  { width: 320, locale: 'en-GB' },
])('months fit a screen of $width pixels', async ({ width, locale }) => {
  const options = { search: `?type=sales&${TWO_YEARS}`, viewport: { width, height: 800 }, locale };
  await look('admin_token', options, async (page) => {
    await settled(page);
    await page.locator('.chart summary').click();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      width,
    );
    const right = async (of: string) =>
      Math.max(...(await measured(page, of, 'one.getBoundingClientRect().right')));
    expect(await right('.ticks li')).toBeLessThanOrEqual(await right('.bars'));
  });
});

describe.runIf(IS_FULL)('the tooltip of a bar', () => {
  test('is above the plot and has the sum', async () => {
    await look('affiliate_en_token', { search: `?type=sales&${MONTH}` }, async (page) => {
      await settled(page);
      const bar = page.locator('.bar:not([aria-label*=": 0."])').first();
      await bar.hover();
      const tip = await page.locator('.tip').boundingBox();
      const plot = await page.locator('.bars').boundingBox();
      expect((tip?.y ?? 0) + (tip?.height ?? 0)).toBeLessThanOrEqual(plot?.y ?? 0);
      const total = /: ([\d,]+)\./.exec((await bar.getAttribute('aria-label')) ?? '')?.[1];
      expect(await page.locator('.tip strong').textContent()).toBe(total);
    });
  });

  test('appears at the first tap; the second tap filters', async () => {
    const options = { search: `?type=sales&${MONTH}`, hasTouch: true };
    await look('affiliate_en_token', options, async (page) => {
      await settled(page);
      const address = page.url();
      await page.locator('.bar').nth(7).tap();
      await page.locator('.tip').waitFor();
      await page.locator('.bar').nth(9).tap();
      expect(page.url()).toBe(address);
      await page.locator('.bar').nth(9).tap();
      await page.waitForURL(`**start_date=${ago(91)}&end_date=${ago(91)}*`);
    });
  });
});

test.runIf(IS_FULL)(
  'the tooltip closes with Escape and on blur, and the tab key returns to its bar',
  async () => {
    await look('affiliate_en_token', { search: `?type=sales&${MONTH}` }, async (page) => {
      await settled(page);
      const tip = page.locator('.tip');
      const bar = page.locator('.bar').nth(3);
      const toolbar = page.getByRole('toolbar', { name: 'Sales over time by day' });
      await toolbar.locator('button').nth(3).focus();
      await tip.waitFor();
      await page.keyboard.press('Escape');
      await tip.waitFor({ state: 'detached' });
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowRight');
      await tip.waitFor();
      await page.keyboard.press('Tab');
      await tip.waitFor({ state: 'detached' });
      await page.keyboard.press('Shift+Tab');
      expect(await bar.and(page.locator(':focus')).count()).toBe(1);
      await page.mouse.move(0, 0);
      await bar.blur();
      await bar.hover();
      await tip.waitFor();
      await page.keyboard.press('Escape');
      await tip.waitFor({ state: 'detached' });
    });
  },
);

describe.runIf(IS_FULL)('the chart', () => {
  const heading = (page: Page, by: string) =>
    page.getByRole('heading', { name: `Sales over time by ${by}` });

  test('shows hours of a day, and the granularity is chosen and in the address', async () => {
    const days = daysFrom(ago(90), ago(89));
    await look('admin_token', { search: `?type=sales&${days}` }, async (page) => {
      await heading(page, 'hour').waitFor();
      // Two days have 47 hours if the clock skips one.
      await expect.poll(async () => await page.locator('.bar').count()).toBeGreaterThan(46);
      const choice = page.getByRole('group', { name: 'Chart by' });
      expect(await choice.getByRole('radio').count()).toBe(2);
      await choice.getByRole('radio', { name: 'Day' }).check({ force: true });
      await page.waitForURL(/granularity=day/);
      await heading(page, 'day').waitFor();
      await expect.poll(async () => await page.locator('.bar').count()).toBe(2);
      await page.locator('.bar').first().click();
      await page.waitForURL(`**start_date=${ago(90)}&end_date=${ago(90)}*`);
      // One day is shown only by hours, and an hour cannot be zoomed into.
      await heading(page, 'hour').waitFor();
      expect(await choice.count()).toBe(0);
      const address = page.url();
      await page.locator('.bar').nth(12).click();
      await page.locator('.tip').waitFor();
      expect(page.url()).toBe(address);
    });
  });

  test('zooms in by dragging and by keys, and out by a button; Back undoes each', async () => {
    await look('affiliate_en_token', { search: `?type=sales&${MONTH}` }, async (page) => {
      await settled(page);
      const range = (first: number, last: number) =>
        page.waitForURL(`**start_date=${ago(first)}&end_date=${ago(last)}*`);
      const bars = page.locator('.bars');
      await bars.scrollIntoViewIfNeeded();
      const { x = 0, y = 0, width = 0 } = (await bars.boundingBox()) ?? {};
      const at = (place: number) => x + ((place + 0.5) / 30) * width;
      await page.mouse.move(at(9), y + 20);
      await page.mouse.down();
      await page.mouse.move(at(5), y + 20, { steps: 3 });
      await page.locator('.zoom-selection').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.zoom-selection').waitFor({ state: 'detached' });
      await page.mouse.up();
      expect(page.url()).toContain(MONTH);
      await page.mouse.move(at(9), y + 20);
      await page.mouse.down();
      await page.mouse.move(at(5), y - 40, { steps: 3 });
      await page.mouse.up();
      await range(95, 91);
      await page.goBack();
      await range(100, 71);
      await settled(page);
      await page.locator('.bar').nth(3).focus();
      await page.keyboard.press('Shift+ArrowRight');
      await page.keyboard.press('Shift+ArrowRight');
      await page
        .locator('.plot [role="status"]', { hasText: 'Enter zooms in' })
        .waitFor({ state: 'attached' });
      await page.keyboard.press('Enter');
      await range(97, 95);
      await chart(page).getByRole('button', { name: 'Zoom out' }).click();
      await range(99, 93);
      await page.goBack();
      await range(97, 95);
    });
  });

  test('has the former period as a line, in the legend, the tooltip and the table', async () => {
    await look('affiliate_en_token', { search: `?type=sales&${MONTH}` }, async (page) => {
      await settled(page);
      await page.locator('.former-line path').waitFor();
      const former = page.locator('.former-key', { hasText: /Previous period [\d,]+/ });
      await former.waitFor();
      await page.locator('.bar').nth(9).hover();
      await page.locator('.tip', { hasText: 'Previous period' }).waitFor();
      const sum = await page.evaluate<number>(
        `[...document.querySelectorAll('.numbers tbody td:last-child')].reduce((sum, { textContent }) => sum + Number(textContent.replaceAll(/\\D/g, '')), 0)`,
      );
      const shown = (await former.locator('strong').textContent()) ?? '';
      expect(sum).toBe(Number(shown.replaceAll(/\D/g, '')));
      expect(sum).toBeGreaterThan(0);
    });
    // With a filter by status, the former period would mislead: more of its transactions are validated by now.
    await look('affiliate_en_token', { search: `?type=sales&${MONTH}&status=1` }, async (page) => {
      await settled(page);
      expect(await page.locator('.former-key, .former-line').count()).toBe(0);
    });
  });

  test('marks today as incomplete and tells how far the data go', async () => {
    await look('admin_token', { search: '?type=sales&period=last-7-days' }, async (page) => {
      await settled(page);
      const marked = page.locator('.bar.incomplete');
      await chart(page)
        .getByText(/^Latest data: \d+ \w+ \d{4}, after \d\d:00$/)
        .waitFor();
      expect(await marked.last().getAttribute('aria-label')).toMatch(/, incomplete$/);
      // The demo data end at midnight UTC. So at some hours, the key also says that a day has no data yet.
      await chart(page)
        .locator('.mark-key')
        .filter({ hasText: /^incomplete/ })
        .waitFor();
    });
  });
});

describe.runIf(IS_FULL)('the cards', () => {
  const rowsOf = async (page: Page, cards: string): Promise<readonly number[]> => {
    const tops = await measured(page, cards, 'one.getBoundingClientRect().top');
    return [...new Set(tops)].map((top) => tops.filter((one) => one === top).length);
  };

  test('fill their rows at any width, also after the window is resized', async () => {
    await look('admin_token', { search: `?type=sales&${MONTH}` }, async (page) => {
      await settled(page);
      for (const [width, inTotals, inTops] of [
        [1440, [4], [4]],
        [1024, [4], [2, 2]],
        [768, [2, 2], [2, 2]],
        [390, [2, 2], [1, 1, 1, 1]],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await expect.poll(async () => await rowsOf(page, '.total')).toEqual(inTotals);
        await expect.poll(async () => await rowsOf(page, '.top-groups')).toEqual(inTops);
      }
    });
  });

  test('show all groups of a long list in a sheet, where they can be searched and a click filters', async () => {
    await look('admin_token', { search: `?type=sales&${TWO_YEARS}` }, async (page) => {
      await settled(page);
      const more = page.locator('.top-groups').nth(1).locator('.top-more button');
      const all = 5 + Number(/\d+/.exec((await more.textContent()) ?? '')?.[0]);
      expect(all).toBeGreaterThan(60);
      await more.press('Enter');
      const sheet = page.getByRole('dialog', { name: 'Publishers · Sales' });
      const groups = sheet.locator('.group');
      await sheet.getByText(`Rows: ${all}`).waitFor();
      expect(await groups.count()).toBe(Math.min(all, 100));
      if (all > 100) await sheet.getByRole('button', { name: `and ${all - 100} more` }).click();
      expect(await groups.count()).toBe(Math.min(all, 200));
      const id = (await groups.nth(60).locator('.group-name').textContent()) ?? '';
      await sheet.getByRole('searchbox').fill(id);
      await expect.poll(async () => await groups.count()).toBeLessThan(20);
      expect(await accessibilityFaults(page, [], OPEN_SHEET)).toEqual([]);
      await groups.filter({ has: page.getByText(id, { exact: true }) }).click();
      await page.waitForURL(new RegExp(`publisher_id=${id}$`));
      await sheet.waitFor({ state: 'detached' });
      // The list then has only this group, and the button that opened the sheet is gone.
      await more.waitFor({ state: 'detached' });
      const focused = page.locator(':focus');
      expect(await focused.textContent()).toBe('Publishers');
    });
  });
});

test.runIf(IS_FULL).each(['Escape', 'Back'])(
  'a sheet that is closed with %s returns the focus to what opened it',
  async (way) => {
    await look('admin_token', { search: `?type=sales&${MONTH}` }, async (page) => {
      await settled(page);
      await page.getByRole('button', { name: 'All rows' }).press('Enter');
      const sheet = page.getByRole('dialog');
      await sheet.waitFor();
      if (way === 'Back') await page.goBack();
      else await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'detached' });
      await expect
        .poll(async () => await page.locator(':focus').textContent())
        .toBe('All rows, search and CSV');
    });
  },
);

test.runIf(IS_FULL)('device types have labels, and unknown ones keep their own name', async () => {
  const { device } = formatsOf('fr-FR');
  expect(['mobile', 'desktop', 'tablet', 'console', 'valueOf'].map(device)).toEqual([
    'Mobile',
    'Ordinateur',
    'Tablette',
    'console',
    'valueOf',
  ]);
  const search = `?type=sales&${MONTH}`;
  await look('affiliate_token', { search, locale: 'fr-FR' }, async (page) => {
    await settled(page);
    const card = page.getByRole('region', { name: 'Appareils' });
    await card.getByText('Ordinateur').click();
    await page.waitForURL(/device_type=desktop/);
  });
});

test.runIf(IS_FULL).each([
  ['affiliate_en_token', 'en-GB', 'sales', 'Sales over time by day', ['Sales', 'Remuneration']],
  [
    'affiliate_token',
    'fr-FR',
    'sales',
    'Ventes au fil du temps par jour',
    ['Ventes', 'Rémunération'],
  ],
  [
    'affiliate_en_token',
    'en-GB',
    'clics',
    'Clicks over time by day',
    ['Clicks', 'Transactions · each stands for one or more clicks', 'Remuneration'],
  ],
  [
    'affiliate_token',
    'fr-FR',
    'clics',
    'Clics au fil du temps par jour',
    ['Clics', 'Transactions · chacune regroupe des clics', 'Rémunération'],
  ],
] as const)(
  'for %s in %s, the count of %s is named after its kind',
  async (token, locale, kind, heading, names) => {
    await look(token, { search: `?type=${kind}&${MONTH}`, locale }, async (page) => {
      await page.getByRole('heading', { name: heading }).waitFor();
      expect(await page.locator('.total .label').allInnerTexts()).toEqual(names);
    });
  },
);
