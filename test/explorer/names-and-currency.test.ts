import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STORED_FIELDS } from '../../src/contract/record/fields.ts';
import { demoNames } from '../../src/demo/demo-names.ts';
import { keptPages } from '../support/pages/kept-pages.ts';
import { demoStage, signIn, visit } from '../support/programs/explorer.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import { everyNth } from '../support/run/sampled.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

const demo = demoStage(20_000, { settings: { currency: 'EUR' } });
const kept = keptPages(demo);
let home: string;

async function importPrograms(csv: string): Promise<void> {
  const path = join(home, 'programs.csv');
  await writeFile(path, csv);
  const files = [{ path, name: 'programs.csv' }];
  const command = { of: 'programs', files, replace: false } as const;
  await demo.stage.service.operator.importDirectory(command, {});
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-page-names-'));
  await importPrograms(demoNames().programs);
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

/** Includes every day of the demo data. */
const YEAR = new Date().getUTCFullYear();
const DAYS = `start_date=${YEAR - 2}-01-01&end_date=${YEAR}-12-31`;

test.each(
  everyNth(
    [
      ['en-GB', 'admin_token', /^€[\d,]+\.\d\d$/],
      ['fr-FR', 'affiliate_token', /^[\d\s]+,\d\d\s€$/],
    ] as const,
    2,
  ),
)('amounts have the currency of the platform in %s', async (locale, token, amount) => {
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
    expect(name).toMatch(/^\p{L}[^()]+$/u);
    const hint = (await first.getAttribute('title')) ?? '';
    const websites = page.getByRole('region', { name: 'Publishers' }).locator('.group-name');
    expect(await websites.first().textContent()).toMatch(/^\d+$/);
    await first.click();
    await page.waitForURL(/program_id=\d+/);
    const id = new URL(page.url()).searchParams.get('program_id');
    expect(hint).toBe(`Only ${name} (${id})`);
    expect(complaints).toEqual([]);
  });
});

// Only in the full run. In `npm test`, screens.test.ts narrows the screens of a phone to 320 pixels.
test.runIf(IS_FULL)('amounts of many digits fit the cards of a phone', async () => {
  const viewport = { width: 320, height: 800 };
  await visit(demo.stage, { search: `?type=sales&${DAYS}`, viewport }, async ({ page }) => {
    await page.route('**/transactions/summary?*', async (route) => {
      const response = await route.fetch();
      const groups: readonly Readonly<Record<string, unknown>>[] = await response.json();
      const large = groups.map((group) => ({ ...group, amount: 123_456.78 }));
      await route.fulfill({ response, json: large });
    });
    await signIn(page, demo.tokens.admin_token);
    await page
      .locator('.total-value', { hasText: /\d,\d{3},\d{3}\.\d\d/ })
      .first()
      .waitFor();
    await page.locator('.group').nth(3).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });
});

/** Each sets `isAttacked` if the page takes it for HTML, a script or an address. */
const ATTACKS = [
  '<img src=x onerror="isAttacked=1">',
  '<script>isAttacked=1</script>',
  'javascript:isAttacked=1',
] as const;
const HOSTILE_PROGRAM = 4_000_000;
const HOSTILE_DAYS = 'start_date=2030-01-15&end_date=2030-01-15';

test('texts of rows and names are never run as code', async () => {
  const at = '2030-01-15 12:00:00';
  const texts = STORED_FIELDS.filter(({ type }) => type === 'text' || type === 'word');
  const rows = ATTACKS.map((attack, number) => ({
    ...fileRow({ transaction_id: HOSTILE_PROGRAM + number, program_id: HOSTILE_PROGRAM + number }),
    ...Object.fromEntries(texts.map(({ name }) => [name, attack])),
    created_at: at,
    updated_at: at,
  }));
  await demo.stage.service.importText(ndjson(rows));
  const quoted = ATTACKS.map((attack) => `"${attack.replaceAll('"', '""')}"`);
  const names = quoted.map((text, number) => `${HOSTILE_PROGRAM + number},${text}\n`);
  await importPrograms(`id,name\n${names.join('')}`);
  const look = { token: 'admin_token', search: `?type=sales&${HOSTILE_DAYS}` } as const;
  await kept(look, async ({ page, complaints }) => {
    await page.locator('[data-place="2"]').waitFor();
    const programs = page.getByRole('region', { name: 'Programs' });
    for (const attack of ATTACKS) await programs.getByText(attack).first().waitFor();
    await page.locator('[data-place="0"]').click();
    const sheet = page.getByRole('dialog');
    const rowOf = (address: string) => new URL(address).searchParams.get('row');
    const shown = new Set<string | null>([null]);
    while (shown.size <= ATTACKS.length) {
      await page.waitForURL((address) => !shown.has(rowOf(address.href)));
      const row = rowOf(page.url());
      shown.add(row);
      await sheet
        .getByText(String(ATTACKS[Number(row) - HOSTILE_PROGRAM]))
        .first()
        .waitFor();
      expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
      await page.keyboard.press('j');
    }
    expect(await page.evaluate('typeof isAttacked')).toBe('undefined');
    expect(complaints).toEqual([]);
  });
});

test('a spreadsheet does not run a sub id from the CSV of the performance table', async () => {
  const at = '2030-01-16 12:00:00';
  const row = { ...fileRow({ subid: '=1+1' }), created_at: at, updated_at: at };
  await demo.stage.service.importText(ndjson([row]));
  const day = 'start_date=2030-01-16&end_date=2030-01-16';
  const search = `?type=sales&${day}&table=subid&full=true`;
  await kept({ token: 'admin_token', search }, async ({ page, complaints }) => {
    const sheet = page.getByRole('dialog', { name: 'Performance' });
    const downloading = page.waitForEvent('download');
    await sheet.getByRole('button', { name: 'CSV' }).click();
    const saved = await readFile(await (await downloading).path(), 'utf8');
    expect(saved).toContain(`\r\n"'=1+1",`);
    expect(complaints).toEqual([]);
  });
});
