import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../explorer/src/texts/texts.ts';
import { STATUS_LABELS } from '../../src/contract/labels.ts';
import { demoStage, signIn, visit } from '../support/explorer.ts';

const demo = demoStage(20_000);

const YEAR = { start: new Date(Date.now() - 300 * 86_400_000), end: new Date() };
const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

describe.each(['fr', 'en'] as const)('in the language %s', (language) => {
  const words = LANGUAGES[language];
  const labels = STATUS_LABELS[language];

  test.each([
    ['admin', 'admin_token'],
    ['affiliate', 'affiliate_token'],
  ] as const)('as %s: sign in, ask, look, read, take away, leave', async (role, name) => {
    await visit(demo.stage, {}, async ({ page, asked, complaints }) => {
      await page.getByLabel(/Language|Langue/).selectOption(language);
      await page.getByRole('heading', { name: words.signIn.title }).waitFor();
      await signIn(page, demo.tokens[name]);
      await page.locator('[data-place]').first().waitFor();

      await page.getByRole('radio', { name: words.kinds.leads }).check({ force: true });
      await page.getByLabel(words.ask.period).selectOption('custom');
      await page.getByLabel(words.ask.from, { exact: true }).fill(dayOf(YEAR.start));
      await page.getByLabel(words.ask.to, { exact: true }).fill(dayOf(YEAR.end));
      await page.getByRole('button', { name: labels[1], exact: true }).click();
      await page.getByLabel(words.ask.add).selectOption('country');
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
      expect(await page.locator('.total-value').first().textContent()).toBe(shown);

      await page.locator('[data-place="0"]').click();
      const sheet = page.getByRole('dialog');
      await sheet.getByText(labels[1], { exact: true }).first().waitFor();
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: words.take.download }).click();
      const coming = page.waitForEvent('download');
      await sheet.getByRole('button', { name: words.take.start }).click();
      const file = await (await coming).path();
      expect(await readFile(file, 'utf8')).toBe(answer);
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: words.account.open }).click();
      await sheet.getByText(words.account[role], { exact: true }).waitFor();
      await sheet.getByRole('button', { name: words.account.signOut }).click();
      await page.getByRole('heading', { name: words.signIn.title }).waitFor();

      expect(complaints).toEqual([]);
      expect(asked.join()).not.toContain(demo.tokens[name]);
      const other = role === 'admin' ? 'affiliate' : 'admin';
      expect(asked.filter((one) => one.includes(`/api/${other}/`))).toEqual([]);
    });
  });
});
