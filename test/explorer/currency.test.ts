import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DemoTokens } from '../support/pages/demo-database.ts';
import { openDemoStage, type Stage, signIn, visit } from '../support/programs/explorer.ts';

let demo: { readonly stage: Stage; readonly tokens: DemoTokens };

beforeAll(async () => {
  demo = await openDemoStage(20_000, { settings: { currency: 'EUR' } });
});

afterAll(async () => await demo.stage.close());

/** Includes every day of the demo data. */
const DAYS = `start_date=${new Date().getUTCFullYear() - 2}-01-01&end_date=${new Date().getUTCFullYear()}-12-31`;

test.each([
  ['en-GB', 'admin_token', /^€[\d,]+\.\d\d$/],
  ['fr-FR', 'affiliate_token', /^[\d\s]+,\d\d\s€$/],
] as const)('amounts have the currency of the platform in %s', async (locale, token, amount) => {
  await visit(
    demo.stage,
    { locale, search: `?type=sales&${DAYS}` },
    async ({ page, complaints }) => {
      await signIn(page, demo.tokens[token]);
      await page.locator('[data-place="0"]').waitFor();
      const totals = await page.locator('.total-value').allTextContents();
      expect(totals.filter((text) => amount.test(text)).length).toBeGreaterThan(0);
      expect(await page.locator('[data-place="0"]').textContent()).toContain('€');
      await page.getByRole('button', { name: /Account|Compte/ }).click();
      expect(await page.getByRole('dialog').textContent()).toContain('EUR');
      expect(complaints).toEqual([]);
    },
  );
});
