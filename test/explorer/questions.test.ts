import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillWithDemo, openStage, type Stage, signIn, visit } from '../support/explorer.ts';

let stage: Stage;
let tokens: Awaited<ReturnType<typeof fillWithDemo>>;

beforeAll(async () => {
  stage = await openStage();
  tokens = await fillWithDemo(stage.service, 20_000);
});

afterAll(async () => await stage.close());

type Json = Readonly<Record<string, string | number | null>>;

/** What the API says to the question in the address bar, with other parameters put in. */
async function apiSays(page: Page, role: string, token: string, path: string, other: Json) {
  const given = new URLSearchParams(new URL(page.url()).search);
  for (const name of ['measure', 'period']) given.delete(name);
  for (const [name, value] of Object.entries(other)) given.set(name, String(value));
  const response = await stage.service.get(
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

/** The days of the demo move with the clock: a whole month of it is taken. */
function monthOfDemo() {
  const day = new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 7);
  const last = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5)), 0)).getUTCDate();
  return { start_date: `${day}-01`, end_date: `${day}-${last}` };
}

const MONTH = monthOfDemo();
const SEARCH = `?type=sales&start_date=${MONTH.start_date}&end_date=${MONTH.end_date}`;

/** Each role in each language of the page, chosen at the door. */
describe.each([
  ['an administrator', 'admin', 'fr', 'admin_token'],
  ['an administrator', 'admin', 'en', 'admin_token'],
  ['an affiliate', 'affiliate', 'fr', 'affiliate_token'],
  ['an affiliate', 'affiliate', 'en', 'affiliate_en_token'],
] as const)('%s (%s, %s)', (_, role, language, name) => {
  const look = async (at: string, what: (page: Page) => Promise<void>) =>
    await visit(stage, { search: at }, async ({ page }) => {
      await page.getByLabel(/Language|Langue/).selectOption(language);
      await signIn(page, tokens[name]);
      await what(page);
    });

  test('sees what the question adds up to, as the API says it', async () => {
    await look(SEARCH, async (page) => {
      const [sums = {}] = await apiSays(page, role, tokens[name], '/summary', {});
      await heading(page, Number(sums.count), language).waitFor();
      const money = new Intl.NumberFormat(language === 'fr' ? 'fr' : 'en-GB', {
        minimumFractionDigits: 2,
      });
      const wanted =
        role === 'admin' ? ['remu_program', 'remu_publisher', 'amount'] : ['remuneration'];
      const totals = await page.locator('.total-value').allInnerTexts();
      expect(totals).toEqual([
        new Intl.NumberFormat(language).format(Number(sums.count)),
        ...wanted.map((one) => money.format(Math.round(Number(sums[one]) * 100) / 100)),
      ]);
      expect(await page.locator('.total').first().textContent()).toMatch(/[+-][\d.,]+\s?%/);
      expect(await page.locator('.bar').count()).toBe(Number(MONTH.end_date.slice(8)));
    });
  });

  test('narrows down by a click on what is seen, and goes back', async () => {
    await look(SEARCH, async (page) => {
      await rows(page).first().waitFor();
      const program = page.locator('.group').first();
      const id = (await program.locator('.group-name').textContent()) ?? '';
      await program.click();
      await page.waitForURL(new RegExp(`program_id=${id}`));
      const [ofProgram = {}] = await apiSays(page, role, tokens[name], '/summary', {});
      await heading(page, Number(ofProgram.count), language).waitFor();
      await page.locator('.legend button').first().click();
      await page.waitForURL(/status=1/);
      const [validated = {}] = await apiSays(page, role, tokens[name], '/summary', {});
      await heading(page, Number(validated.count), language).waitFor();
      await page.goBack();
      await heading(page, Number(ofProgram.count), language).waitFor();
      await page.goBack();
      expect(new URL(page.url()).search).toBe(SEARCH);
      const [all = {}] = await apiSays(page, role, tokens[name], '/summary', {});
      await heading(page, Number(all.count), language).waitFor();
      const bar = page.locator('.bar:not([aria-label*=": 0."])').nth(3);
      await bar.click();
      await page.waitForURL((address) => {
        const asked = address.searchParams;
        return asked.get('start_date') === asked.get('end_date');
      });
      const [day = {}] = await apiSays(page, role, tokens[name], '/summary', {});
      await heading(page, Number(day.count), language).waitFor();
    });
  });

  test('reads the rows in both orders, and opens one with all its fields', async () => {
    await look(SEARCH, async (page) => {
      await rows(page).first().click();
      const newest = await apiSays(page, role, tokens[name], '', { order: 'desc', limit: 1 });
      const sheet = page.getByRole('dialog');
      await sheet.getByRole('heading', { name: String(newest[0]?.transaction_id) }).waitFor();
      await sheet.locator('dt').first().waitFor();
      expect(await sheet.locator('dt').count()).toBe(Object.keys(newest[0] ?? {}).length);
      expect(await sheet.locator('dd').allInnerTexts()).toEqual(
        expect.arrayContaining([expect.stringContaining(String(newest[0]?.ip_address))]),
      );
      await page.keyboard.press('Escape');
      await page.locator('thead button').click();
      await page.waitForURL(/order=asc/);
      const oldest = await apiSays(page, role, tokens[name], '', { limit: 1 });
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

test('the question is asked by what is chosen, and stands in the address', async () => {
  await visit(stage, {}, async ({ page }) => {
    await signIn(page, tokens.affiliate_en_token);
    await rows(page).first().waitFor();
    await page.getByRole('radio', { name: 'Leads' }).check({ force: true });
    await page.getByLabel('Period').selectOption('this-year');
    await page.getByRole('combobox', { name: 'Date' }).selectOption('validation_date');
    await page.getByRole('button', { name: 'Validated' }).first().click();
    await page.getByLabel('Add a filter').selectOption('country');
    await page.keyboard.type('fr,');
    await page.getByText('Two letters a country').waitFor();
    await page.keyboard.type('be');
    await page.keyboard.press('Enter');
    await page.waitForURL(/country=fr,be/);
    expect(new URL(page.url()).search).toBe(
      '?type=leads&period=this-year&date_field=validation_date&status=1&country=fr,be',
    );
    await page.reload();
    await expect
      .poll(async () => await page.getByLabel('Country', { exact: true }).inputValue())
      .toBe('fr,be');
    expect(await page.getByRole('radio', { name: 'Leads' }).isChecked()).toBe(true);
    await page.getByLabel('Period').selectOption('custom');
    await page.getByLabel('From', { exact: true }).fill('2026-01-05');
    await page.waitForURL(/start_date=2026-01-05/);
    await page.getByLabel('To', { exact: true }).fill('2026-01-04');
    await page.getByText('The last day must not be before the first.').waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.waitForURL((address) => !address.searchParams.has('status'));
  });
});

test('how a question is looked at is no step to go back through', async () => {
  await visit(stage, { search: SEARCH }, async ({ page }) => {
    await signIn(page, tokens.affiliate_en_token);
    await rows(page).first().waitFor();
    const steps = await page.evaluate<number>('history.length');
    await page.getByRole('radio', { name: 'Remuneration' }).check({ force: true });
    await page.waitForURL(/measure=remuneration/);
    await page.locator('thead button').click();
    await page.waitForURL(/order=asc/);
    expect(await page.evaluate<number>('history.length')).toBe(steps);
    await page.getByRole('button', { name: 'Validated' }).first().click();
    await page.waitForURL(/status=1/);
    await page.goBack();
    expect(new URL(page.url()).search).toBe(`${SEARCH}&order=asc&measure=remuneration`);
  });
});

test('a question to which there is no answer says what to do', async () => {
  await visit(stage, { search: `${SEARCH}&clickid=nothing` }, async ({ page }) => {
    await signIn(page, tokens.affiliate_en_token);
    await page.getByText('No transactions match this question.').waitFor();
    await page.getByText('Choose a longer period or remove a filter.').waitFor();
  });
  await visit(stage, { search: `${SEARCH}&publisher_id=1` }, async ({ page }) => {
    await signIn(page, tokens.affiliate_token);
    await page.getByText('Ce site n’est pas l’un des vôtres.').first().waitFor();
  });
});

test('the date that is asked about has its column, whose head turns the order', async () => {
  const search = `${SEARCH}&date_field=validation_date`;
  await visit(stage, { search }, async ({ page }) => {
    await signIn(page, tokens.affiliate_en_token);
    await rows(page).first().waitFor();
    const heads = await page.locator('.grid th').allInnerTexts();
    expect(heads.slice(0, 2)).toEqual(['Validated on ↓', 'Created']);
    await page.getByRole('button', { name: /^Validated on/ }).click();
    await page.waitForURL(/order=asc/);
    const [oldest] = await apiSays(page, 'affiliate', tokens.affiliate_en_token, '', { limit: 1 });
    await expect
      .poll(async () => await rows(page).first().textContent())
      .toContain(String(oldest?.transaction_id));
    await page.getByRole('button', { name: 'Columns' }).click();
    const box = page.getByRole('dialog').getByLabel('Validated on', { exact: true });
    expect(await box.isChecked()).toBe(true);
    expect(await box.isDisabled()).toBe(true);
  });
});

test('columns are chosen, moved and remembered', async () => {
  await visit(stage, { search: SEARCH }, async ({ page }) => {
    const heads = async () => await page.locator('.grid th').allInnerTexts();
    await signIn(page, tokens.affiliate_en_token);
    await rows(page).first().waitFor();
    expect((await heads()).slice(0, 2)).toEqual(['Created ↓', 'Status']);
    await page.getByRole('button', { name: 'Columns' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Move Status to the left' }).click();
    await sheet.getByLabel('Browser', { exact: true }).check();
    await sheet.getByLabel('Country', { exact: true }).uncheck();
    await page.keyboard.press('Escape');
    await rows(page).first().waitFor();
    await page.reload();
    await rows(page).first().waitFor();
    const names = await heads();
    expect(names.slice(0, 2)).toEqual(['Status', 'Created ↓']);
    expect(names).toContain('Browser');
    expect(names).not.toContain('Country');
  });
});
