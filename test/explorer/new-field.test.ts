import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Route } from 'playwright-core';
import { build, type Plugin } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoStage, type Stage, signIn, visit } from '../support/programs/explorer.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

/** A new line for the table of fields and one for the table of filters, each inserted before an existing line. */
const LINES = [
  [
    'src/contract/record/fields.ts',
    '] as const satisfies readonly Field[];',
    "{ name: 'campaign_id', type: 'word', affiliate: 21, meaning: 'Campaign' },",
  ],
  [
    'src/contract/query/filters/filter-table.ts',
    'device_type: { selects:',
    "campaign_id: { selects: 'these', example: '1', schema: text, read: readIdentifiers },",
  ],
] as const;

const another: Plugin = {
  name: 'another-field',
  enforce: 'pre',
  transform(code, path) {
    const line = LINES.find(([file]) => path.endsWith(file));
    if (line === undefined) return undefined;
    const [, next, added] = line;
    if (!code.includes(next)) throw new Error(`There is no ${next} any more.`);
    return code.replace(next, `${added}\n${next}`);
  },
};

let stage: Stage;
let token: string;

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'explorer-'));
  const configFile = join(import.meta.dirname, '../../explorer/vite.config.ts');
  await build({ configFile, logLevel: 'warn', plugins: [another], build: { outDir: directory } });
  const explorer = pathToFileURL(`${directory}/`);
  const demo = await openDemoStage(20_000, { explorer });
  stage = demo.stage;
  token = demo.tokens.affiliate_en_token;
});

afterAll(async () => await stage.close());

/** Forwards a request without the new field, which the service does not know. Adds the field to the response. */
async function answerWithField(route: Route): Promise<void> {
  const url = new URL(route.request().url());
  url.searchParams.delete('campaign_id');
  const fields = url.searchParams.get('fields')?.split(',');
  const others = fields?.filter((name) => name !== 'campaign_id');
  if (others !== undefined) url.searchParams.set('fields', others.join(','));
  const response = await route.fetch({ url: url.href });
  const rows = await response.text();
  const hasField = !url.pathname.endsWith('/summary') && fields?.length !== others?.length;
  const isWhole = /\/\d+$/.test(url.pathname);
  const body = hasField || isWhole ? rows.replaceAll(/\}$/gm, ',"campaign_id":"Spring"}') : rows;
  await route.fulfill({ response, body });
}

// Only in the full run. In `npm test`, view.test.ts checks that the filters of the page are those of the contract.
test.runIf(IS_FULL)(
  'a new field and a new filter of the contract appear on the page without a change of the page',
  async () => {
    const search = '?type=sales&start_date=2020-01-01&end_date=2030-12-31';
    await visit(stage, { search }, async ({ page }) => {
      await page.route('**/api/affiliate/transactions**', answerWithField);
      await signIn(page, token);
      await page.locator('[data-place="0"]').waitFor();
      const sheet = page.getByRole('dialog');
      await page.getByRole('button', { name: 'Columns' }).click();
      await sheet.getByLabel('Campaign id', { exact: true }).check();
      await page.keyboard.press('Escape');
      expect(await page.locator('.grid th').allInnerTexts()).toContain('Campaign id');
      await page.locator('[data-place="0"] td', { hasText: 'Spring' }).waitFor();
      await page.locator('[data-place="0"]').click();
      await sheet.locator('dt:text-is("Campaign id") + dd', { hasText: 'Spring' }).waitFor();
      await sheet.getByRole('button', { name: 'Copy Campaign id' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByLabel('Add a filter').selectOption('campaign_id');
      await page.locator('input:focus').waitFor();
      await page.keyboard.type('1,x');
      await page.keyboard.press('Enter');
      await page.getByText('Digits only. Separate several with commas.').waitFor();
      await page.getByLabel('Campaign id', { exact: true }).fill('1, 2');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${stage.address}${search}&campaign_id=1,2`);
      await page.locator('[data-place="0"]').waitFor();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
  },
);
