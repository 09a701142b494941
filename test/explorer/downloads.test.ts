import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EN } from '../../explorer/src/texts/en.ts';
import { FR } from '../../explorer/src/texts/fr.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { fillWithDemo, openStage, type Stage, signIn, visit } from '../support/explorer.ts';

let stage: Stage;
let admin: string;
let tokens: Awaited<ReturnType<typeof fillWithDemo>>;

beforeAll(async () => {
  stage = await openStage();
  tokens = await fillWithDemo(stage.service, 30_000);
  admin = await stage.service.token({ locale: 'en' });
});

afterAll(async () => await stage.close());

/** All that there is: a few megabytes. */
const SEARCH = '?type=impressions&start_date=2020-01-01&end_date=2030-12-31';

async function open(page: Page, token: string) {
  await signIn(page, token);
  await page.locator('[data-place]').first().waitFor();
  await page.getByRole('button', { name: 'Download' }).click();
  return page.getByRole('dialog', { name: 'Download' });
}

test('a list is taken away in every format, as the API gives it', async () => {
  const token = tokens.affiliate_en_token;
  await visit(stage, { search: SEARCH }, async ({ page }) => {
    const sheet = await open(page, token);
    for (const [name, query, ending] of [
      ['CSV Comma', 'format=csv', '.csv'],
      ['CSV for Excel', 'format=csv&csv=excel', '_excel.csv'],
      ['NDJSON', 'format=ndjson', '.ndjson'],
      ['JSON One array', 'format=json', '.json'],
      ['Parquet', 'format=parquet', '.parquet'],
    ] as const) {
      await sheet.getByRole('radio', { name }).check();
      const coming = page.waitForEvent('download');
      await sheet.getByRole('button', { name: 'Download' }).click();
      const download = await coming;
      const address = `/reports/api/affiliate/transactions${SEARCH}&order=desc&${query}`;
      const answer = Buffer.from(await (await stage.service.get(address, token)).arrayBuffer());
      const file = await readFile(await download.path());
      expect(download.suggestedFilename()).toBe(`impressions_2020-01-01_2030-12-31${ending}`);
      expect(file.length, name).toBe(answer.length);
      if (ending !== '.parquet') expect(file.equals(answer), name).toBe(true);
      await sheet.getByText(/^Complete: impressions_/).waitFor();
    }
  });
});

/** As over a slow line. */
async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const bytesPerSecond = 600_000;
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}

test('a download shows how far it is and how quick, and is cancelled', async () => {
  await visit(stage, { search: SEARCH }, async ({ page }) => {
    const sheet = await open(page, admin);
    await slowDown(page);
    await sheet.getByRole('radio', { name: 'NDJSON' }).check();
    await sheet.getByRole('button', { name: 'Download' }).click();
    await sheet.getByText(/ so far, .+\/s/).waitFor();
    expect(await sheet.getByRole('progressbar').isVisible()).toBe(true);
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    await sheet.getByText('Cancelled; nothing was saved.').waitFor();
  });
});

/** The private files of the page, under their names. */
const filesOf = async (page: Page) =>
  await page.evaluate<Readonly<Record<string, string>>>(`(async () => {
  const files = {};
  for await (const [name, handle] of (await navigator.storage.getDirectory()).entries()) {
    files[name] = await (await handle.getFile()).text();
  }
  return files;
})()`);

test('where the browser can, a download goes into the file that was picked as it comes', async () => {
  await visit(stage, { search: SEARCH, picker: 'private' }, async ({ page }) => {
    const sheet = await open(page, admin);
    await sheet.getByRole('radio', { name: 'CSV Comma' }).check();
    await sheet.getByRole('button', { name: 'Download' }).click();
    await sheet.getByText(/^Complete: /).waitFor();
    const address = `/reports/api/admin/transactions${SEARCH}&order=desc&format=csv`;
    const answer = await (await stage.service.get(address, admin)).text();
    expect(await filesOf(page)).toEqual({ 'impressions_2020-01-01_2030-12-31.csv': answer });
    await slowDown(page);
    await sheet.getByRole('radio', { name: 'NDJSON' }).check();
    await sheet.getByRole('button', { name: 'Download' }).click();
    await sheet.getByText(/ so far, .+\/s/).waitFor();
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    await sheet.getByText('Cancelled; nothing was saved.').waitFor();
    expect(Object.keys(await filesOf(page))).toEqual(['impressions_2020-01-01_2030-12-31.csv']);
    await sheet.getByRole('radio', { name: 'CSV Comma' }).check();
    await sheet.getByRole('button', { name: 'Download' }).click();
    await sheet.getByText(/ so far, .+\/s/).waitFor();
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    await sheet.getByText('Cancelled; nothing was saved.').waitFor();
    expect(await filesOf(page)).toEqual({ 'impressions_2020-01-01_2030-12-31.csv': answer });
  });
});

test('a download goes on while its sheet is closed and something else is asked', async () => {
  await visit(stage, { search: SEARCH }, async ({ page }) => {
    const sheet = await open(page, admin);
    await slowDown(page);
    await sheet.getByRole('radio', { name: 'JSON One array' }).check();
    const coming = page.waitForEvent('download');
    await sheet.getByRole('button', { name: 'Download' }).click();
    await sheet.getByText(/ so far, .+\/s/).waitFor();
    await page.keyboard.press('Escape');
    const button = page.getByRole('button', { name: /^Downloading, [\d.]+%$/ });
    await button.waitFor();
    await page.getByRole('radio', { name: 'Leads' }).check({ force: true });
    const download = await coming;
    expect(download.suggestedFilename()).toBe('impressions_2020-01-01_2030-12-31.json');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await sheet.getByText(/^Complete: impressions_/).waitFor();
  });
});

test('a download that breaks off is said to be broken, and nothing of it is saved', async () => {
  const proxy = await startCuttingProxy(stage.service.url, 'format=json');
  const address = `${proxy.url}${new URL(stage.address).pathname}`;
  await visit({ ...stage, address }, { search: SEARCH }, async ({ page }) => {
    const saved: unknown[] = [];
    page.on('download', (download) => saved.push(download));
    const sheet = await open(page, admin);
    await sheet.getByRole('radio', { name: 'JSON One array' }).check();
    proxy.cutNext([100_000]);
    await sheet.getByRole('button', { name: 'Download' }).click();
    await sheet.getByText('The download broke off. It is not complete').waitFor();
    expect(proxy.cuts).toBe(1);
    expect(saved).toEqual([]);
    const whole = page.waitForEvent('download');
    await sheet.getByRole('button', { name: 'Try again' }).click();
    await whole;
  });
  await proxy.close();
});

const ROOT = join(import.meta.dirname, '../..');

/** What a strict project says to code that uses the client. */
async function complaintsOfCompiler(code: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'snippet-'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'snippet.ts'), code);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    typeRoots: [join(ROOT, 'node_modules/@types')],
    types: ['node'],
    paths: { 'transactions-reporting-client': [join(ROOT, 'client/src/index.ts')] },
  };
  const project = join(folder, 'tsconfig.json');
  await writeFile(project, JSON.stringify({ compilerOptions, files: ['snippet.ts'] }));
  const compiled = promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project]);
  return (await compiled.catch(({ stdout }: { stdout: string }) => ({ stdout }))).stdout;
}

test('the question is copied as a command that works, as code and as an address, without the token', async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const search = '?type=sales&period=last-30-days&status=1,2';
  await visit(stage, { search, permissions }, async ({ page }) => {
    const sheet = await open(page, tokens.affiliate_en_token);
    const copied: string[] = [];
    for (const name of ['Copy: Address of this view', 'Copy: curl', 'Copy: TypeScript client']) {
      const button = sheet.getByRole('button', { name, exact: true });
      await button.click();
      await button.getByText('Copied').first().waitFor();
      copied.push(await page.evaluate<string>('navigator.clipboard.readText()'));
    }
    const [address, curl = '', code = ''] = copied;
    expect(address).toBe(`${stage.address}${search}`);
    expect(code).toContain('client.affiliate.transactions.list({');
    expect(await complaintsOfCompiler(code)).toBe('');
    expect(await complaintsOfCompiler(code.replace('"sales"', '"visits"'))).toContain('"visits"');
    expect(copied.join()).not.toContain(tokens.affiliate_en_token);
    const env = { ...process.env, TOKEN: tokens.affiliate_en_token };
    const { stdout } = await promisify(execFile)('sh', ['-c', curl], { env });
    const rows = JSON.parse(stdout) as readonly { readonly status: string }[];
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['1', '2']));
  });
});

test('a file says that it is of a question with filters, and is not made of nothing', async () => {
  await visit(stage, { search: `${SEARCH}&status=1` }, async ({ page }) => {
    const sheet = await open(page, tokens.affiliate_en_token);
    await sheet
      .getByText(/^All [\d,]+ transactions of this question, with every field\.$/)
      .waitFor();
    await sheet.getByRole('radio', { name: 'CSV for Excel' }).check();
    const coming = page.waitForEvent('download');
    await sheet.getByRole('button', { name: 'Download' }).click();
    expect((await coming).suggestedFilename()).toBe(
      'impressions_2020-01-01_2030-12-31_filtered_excel.csv',
    );
  });
  await visit(stage, { search: `${SEARCH}&clickid=nothing` }, async ({ page }) => {
    await signIn(page, tokens.affiliate_en_token);
    await page.getByText('No transactions match').waitFor();
    await page.getByRole('button', { name: 'Download' }).click();
    const sheet = page.getByRole('dialog', { name: 'Download' });
    await sheet.getByText('There is nothing to download: no transaction matches').waitFor();
    expect(await sheet.getByRole('button', { name: 'Download' }).isDisabled()).toBe(true);
  });
});

test('how many transactions are taken away is said with the right words', () => {
  const intros = [1, 12].map((count) =>
    [EN, FR].map(({ take }) => take.intro(count, String(count))),
  );
  expect(intros).toEqual([
    [
      'The transaction of this question, with every field.',
      'La transaction de cette question, avec tous les champs.',
    ],
    [
      'All 12 transactions of this question, with every field.',
      'Les 12 transactions de cette question, avec tous les champs.',
    ],
  ]);
});
