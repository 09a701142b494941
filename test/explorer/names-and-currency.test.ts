import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoNames } from '../../src/demo/demo-names.ts';
import { keptPages } from '../support/pages/kept-pages.ts';
import { demoStage } from '../support/programs/explorer.ts';

const demo = demoStage(20_000, { settings: { currency: 'EUR' } });
const kept = keptPages(demo);
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-page-names-'));
  const path = join(home, 'programs.csv');
  await writeFile(path, demoNames().programs);
  const files = [{ path, name: 'programs.csv' }];
  const command = { of: 'programs', files, replace: false } as const;
  await demo.stage.service.operator.importDirectory(command, {});
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

/** Includes every day of the demo data. */
const YEAR = new Date().getUTCFullYear();
const DAYS = `start_date=${YEAR - 2}-01-01&end_date=${YEAR}-12-31`;

test.each([
  ['en-GB', 'admin_token', /^€[\d,]+\.\d\d$/],
  ['fr-FR', 'affiliate_token', /^[\d\s]+,\d\d\s€$/],
] as const)('amounts have the currency of the platform in %s', async (locale, token, amount) => {
  const search = `?type=sales&${DAYS}`;
  await kept({ token, locale, search }, async ({ page, complaints }) => {
    await page.locator('[data-place="0"]').waitFor();
    const totals = page.locator('.total-value');
    // The list may be there before the totals.
    await totals.filter({ hasText: amount }).first().waitFor();
    expect(await page.locator('[data-place="0"]').textContent()).toContain('€');
    await page.getByRole('button', { name: /Account|Compte/ }).click();
    expect(await page.getByRole('dialog').textContent()).toContain('EUR');
    expect(complaints).toEqual([]);
  });
});

test('the top programs have their names, websites without an entry their identifiers, and a click filters', async () => {
  const search = `?type=clics&${DAYS}`;
  await kept({ token: 'admin_token', search }, async ({ page, complaints }) => {
    const top = page.getByRole('region', { name: 'Programs' });
    const first = top.locator('.group').first();
    await first.waitFor();
    const name = (await first.locator('.group-name').textContent()) ?? '';
    expect(name).toMatch(/^\p{L}.+ \(\d+\)$/u);
    const websites = page.getByRole('region', { name: 'Publishers' }).locator('.group-name');
    expect(await websites.first().textContent()).toMatch(/^\d+$/);
    await first.click();
    await page.waitForURL(/program_id=\d+/);
    const [, id] = /\((\d+)\)$/.exec(name) ?? [];
    expect(new URL(page.url()).searchParams.get('program_id')).toBe(id);
    expect(complaints).toEqual([]);
  });
});
