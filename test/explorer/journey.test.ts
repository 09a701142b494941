import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { fieldLabel } from '../../explorer/src/query/filters.ts';
import { textsFor } from '../../explorer/src/texts/languages.ts';
import { STATUS_LABELS } from '../../src/contract/record/labels.ts';
import { demoStage, openPeriods, READERS, signIn, visit } from '../support/programs/explorer.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

const demo = demoStage(20_000);

/** Ends two days ago, because today may be another date in the time zone of the page than in UTC. */
const YEAR = { start: daysAgo(300), end: daysAgo(2) };
const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 86_400_000);
}

// biome-ignore format: one language a line
const MONTHS = {
  fr: ['janv.', 'févr.', 'mars', 'avr.', 'mai', 'juin', 'juil.', 'août', 'sept.', 'oct.', 'nov.', 'déc.'],
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'],
} as const;

const permissions = ['clipboard-read', 'clipboard-write'];
const copied = async (page: Page) => await page.evaluate<string>('navigator.clipboard.readText()');

const hasFocus = async (page: Page, what: string) =>
  await page.evaluate<boolean>(`document.activeElement.matches('${what}')`);

describe.each(READERS)('%s (%s, %s)', (_, role, language, name) => {
  const words = textsFor(role, language);
  const labels = STATUS_LABELS[language];
  /** In `npm test`, each journey runs for one of the readers. */
  const testOf = (turn: number) =>
    test.runIf(IS_FULL || READERS[turn % READERS.length]?.[3] === name);

  /** No request goes to another origin, or to an endpoint of the other role. */
  function expectOwnRequests(asked: readonly string[]): void {
    const { address } = demo.stage;
    const other = role === 'admin' ? 'affiliate' : 'admin';
    const isOwn = (url: string) => url.startsWith(address) || url.startsWith(`blob:`);
    expect(asked.filter((url) => url.includes(`/api/${role}/`)).length).toBeGreaterThan(5);
    expect(asked.filter((url) => !isOwn(url) || url.includes(`/api/${other}/`))).toEqual([]);
  }

  testOf(0)('sign in, query, view, read, export, sign out', async () => {
    await visit(demo.stage, { permissions }, async ({ page, asked, complaints }) => {
      await page.getByLabel(/Language|Langue/).selectOption(language);
      await page.getByRole('heading', { name: words.signIn.title }).waitFor();
      await signIn(page, demo.tokens[name]);
      await page.locator('[data-place]').first().waitFor();

      await page.getByRole('radio', { name: words.kinds.leads }).check({ force: true });
      await openPeriods(page);
      await page.getByLabel(words.ask.from, { exact: true }).fill(dayOf(YEAR.start));
      await page.waitForURL(`**start_date=${dayOf(YEAR.start)}**`);
      await page.getByLabel(words.ask.to, { exact: true }).fill(dayOf(YEAR.end));
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: labels[1], exact: true }).click();
      await page.getByLabel(words.ask.add).selectOption('country');
      await page.locator('input:focus').waitFor();
      await page.keyboard.type('FR');
      await page.keyboard.press('Enter');
      await page.waitForURL(/country=FR/);

      const question = new URL(page.url()).searchParams;
      expect(Object.fromEntries(question)).toEqual({
        type: 'leads',
        start_date: dayOf(YEAR.start),
        end_date: dayOf(YEAR.end),
        status: '1',
        country: 'FR',
      });
      const address = `/reports/api/${role}/transactions?${question}&order=desc&format=csv`;
      const asReader = { 'accept-language': language };
      const answer = await (
        await demo.stage.service.get(address, demo.tokens[name], asReader)
      ).text();
      const count = answer.trimEnd().split('\r\n').length - 1;
      expect(count).toBeGreaterThan(1);
      const shown = new Intl.NumberFormat(language).format(count);
      await page.getByRole('heading', { name: words.list.count(count, shown) }).waitFor();
      const total = page.locator('.total-value').first();
      await expect.poll(async () => await total.textContent()).toBe(shown);

      const whole = address.replace('format=csv', 'limit=1');
      const rows = await (await demo.stage.service.get(whole, demo.tokens[name], asReader)).json();
      const [row] = rows as readonly Readonly<Record<string, string>>[];
      const [day = '', time = ''] = row?.created_at?.split(' ') ?? [];
      const number = Number(day.slice(8));
      const ordinal = language === 'fr' && number === 1 ? '1er' : number;
      const date = `${ordinal} ${MONTHS[language][Number(day.slice(5, 7)) - 1]}`;
      const cell = await page.locator('[data-place="0"] td.date').first().textContent();
      expect(cell).toContain(date);
      expect(cell).toContain(time.slice(0, 5));

      await page.locator('[data-place="0"]').click();
      const sheet = page.getByRole('dialog');
      await sheet.getByText(labels[1], { exact: true }).first().waitFor();
      const created = sheet.locator('dd', { hasText: time });
      expect(await created.first().textContent()).toContain(`${date} ${day.slice(0, 4)}`);
      await sheet.getByRole('button', { name: words.list.copyAll }).click();
      await sheet.getByRole('button', { name: words.copied }).waitFor();
      expect(JSON.parse(await copied(page))).toEqual(row);
      for (const field of ['transaction_id', 'created_at', 'publisher_id', 'status_label']) {
        const copy = words.list.copyOf(fieldLabel(field, words));
        await sheet.getByRole('button', { name: copy, exact: true }).click();
        await expect.poll(async () => await copied(page)).toBe(String(row?.[field]));
      }
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: words.download.download }).click();
      const coming = page.waitForEvent('download');
      await sheet.getByRole('button', { name: words.download.start }).click();
      const file = await (await coming).path();
      expect(await readFile(file, 'utf8')).toBe(answer);
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: words.account.open }).click();
      await sheet.getByText(words.account[role], { exact: true }).waitFor();
      await sheet.getByRole('button', { name: words.account.signOut }).click();
      await page.getByRole('heading', { name: words.signIn.title }).waitFor();

      expect(complaints).toEqual([]);
      expect(asked.join()).not.toContain(demo.tokens[name]);
      expectOwnRequests(asked);
    });
  });

  testOf(1)('sign in, query, view, export and sign out with the keyboard alone', async () => {
    await visit(demo.stage, {}, async ({ page, asked }) => {
      const button = (of: string) => page.getByRole('button', { name: of, exact: true });
      const heads = async () => await page.locator('.grid th').allInnerTexts();
      const firstRow = page.locator('[data-place="0"]');
      const sheet = page.getByRole('dialog');
      // A key pressed before a sheet is open would reach the page behind it.
      const open = async (by: Locator) => {
        await by.press('Enter');
        await sheet.waitFor();
      };
      // The page begins in English. So that English counts as chosen, the test selects French and then English.
      for (const key of language === 'fr' ? ['ArrowDown'] : ['ArrowDown', 'ArrowUp']) {
        await page.getByLabel(/Language|Langue/).press(key);
      }
      await page.getByRole('textbox', { name: words.signIn.token }).focus();
      await page.keyboard.insertText(demo.tokens[name]);
      await page.keyboard.press('Enter');
      await firstRow.waitFor();

      await page.getByRole('radio', { name: words.kinds.sales, exact: true }).press('ArrowLeft');
      await page.waitForURL(/type=leads/);
      await page.locator('.toggles').getByRole('button', { name: labels[1] }).press('Space');
      await page.waitForURL(/status=1/);
      await page.locator('.bar[tabindex="0"]').focus();
      for (const key of ['End', 'ArrowLeft', 'Enter']) await page.keyboard.press(key);
      await page.waitForURL(/start_date=/);
      await page.goBack();
      await firstRow.waitFor();

      const country = fieldLabel('country', words);
      expect(await heads()).toContain(country);
      await open(button(words.list.columns));
      await sheet.getByLabel(country, { exact: true }).press('Space');
      await expect.poll(heads).not.toContain(country);
      await page.reload();
      await firstRow.waitFor();
      expect(await heads()).not.toContain(country);
      await open(button(words.list.columns));
      await sheet.getByRole('button', { name: words.list.standard }).press('Enter');
      await expect.poll(heads).toContain(country);
      await page.keyboard.press('Escape');

      await page.getByRole('grid').press('ArrowDown');
      await open(page.getByRole('grid'));
      await sheet.getByRole('button', { name: words.list.previous }).press('Enter');
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'detached' });
      await expect.poll(async () => await hasFocus(page, '[role="grid"]')).toBe(true);

      await open(button(words.download.download));
      await sheet.getByRole('radio', { name: 'CSV', exact: false }).first().press('ArrowDown');
      const coming = page.waitForEvent('download');
      await sheet.getByRole('button', { name: words.download.start }).press('Enter');
      expect((await coming).suggestedFilename()).toMatch(/_filtered_excel\.csv$/);
      await page.keyboard.press('Escape');

      await open(page.getByRole('button', { name: words.account.open }));
      await sheet.getByRole('button', { name: words.account.signOut }).press('Enter');
      await page.getByRole('heading', { name: words.signIn.title }).waitFor();
      await expect.poll(async () => await hasFocus(page, 'input')).toBe(true);
      expectOwnRequests(asked);
    });
  });
});
