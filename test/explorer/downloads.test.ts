import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CDPSession, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EN } from '../../explorer/src/texts/en.ts';
import { FR } from '../../explorer/src/texts/fr.ts';
import { LANGUAGES } from '../../explorer/src/texts/languages.ts';
import type { DemoTokens } from '../support/pages/demo-database.ts';
import { keptPages } from '../support/pages/kept-pages.ts';
import {
  demoStage,
  READERS,
  type Stage,
  signIn,
  type Visit,
  visit,
} from '../support/programs/explorer.ts';
import { everyNth } from '../support/run/sampled.ts';
import { IS_FULL } from '../support/run/test-extent.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/servers/cutting-proxy.ts';

const demo = demoStage(20_000);
const kept = keptPages(demo);

let stage: Stage;
let admin: string;
let proxy: CuttingProxy;
let tokens: DemoTokens;

beforeAll(async () => {
  ({ stage, tokens } = demo);
  admin = await stage.service.token({ locale: 'en' });
  proxy = await startCuttingProxy(stage.service.url, 'format=json');
});

afterAll(async () => await proxy.close());

/** All impressions of the demo data: a few megabytes. */
const SEARCH = '?type=impressions&start_date=2020-01-01&end_date=2030-12-31';

async function open(page: Page, token: string) {
  await signIn(page, token);
  return await openSheet(page);
}

async function openSheet(page: Page) {
  await page.locator('[data-place]').first().waitFor();
  await page.getByRole('button', { name: 'Download' }).click();
  return page.getByRole('dialog', { name: 'Download' });
}

/** A page that saves into its private files, which are empty. Other tests use it too. */
async function saving(search: string, what: (visit: Visit) => Promise<void>): Promise<void> {
  const look = { token: 'admin_token', language: 'en', picker: 'private', search } as const;
  await kept(look, async (visit) => {
    await visit.page.evaluate(WITHOUT_FILES);
    await what(visit);
  });
}

const FORMATS = [
  ['csv', 'format=csv', '.csv'],
  ['excel', 'format=csv&csv=excel', '_excel.csv'],
  ['excel-en', 'format=csv&csv=excel-en', '_excel-en.csv'],
  ['ndjson', 'format=ndjson', '.ndjson'],
  ['json', 'format=json', '.json'],
  ['parquet', 'format=parquet', '.parquet'],
] as const;

const FILE = 'impressions_2020-01-01_2030-12-31';

// In `npm test`, one reader: journey.test.ts downloads in the other language and role.
describe.each(everyNth(READERS, 2, 1))('%s (%s, %s)', (_, role, language, name) => {
  const { download: take, again, copy, copied } = LANGUAGES[language];
  const asReader = { 'accept-language': language };

  test('downloads a list in every format of the API, and copies its URL, command and code', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    // The page is opened through the proxy, whose URL the service does not know.
    const address = `${proxy.url}${new URL(stage.address).pathname}`;
    await visit({ ...stage, address }, { search: SEARCH, permissions }, async ({ page }) => {
      await page.getByLabel(/Language|Langue/).selectOption(language);
      await signIn(page, tokens[name]);
      await page.locator('[data-place]').first().waitFor();
      await page.getByRole('button', { name: take.download }).click();
      const sheet = page.getByRole('dialog', { name: take.title });
      const start = sheet.getByRole('button', { name: take.start, exact: true });
      const choose = async (format: keyof typeof take.formats) =>
        await sheet.getByRole('radio', { name: take.formats[format].join(' ') }).check();

      for (const [format, query, ending] of everyNth(FORMATS, 2, 1)) {
        await choose(format);
        const coming = page.waitForEvent('download');
        await start.click();
        const download = await coming;
        const asked = `/reports/api/${role}/transactions${SEARCH}&order=desc&${query}`;
        const response = await stage.service.get(asked, tokens[name], asReader);
        const answer = Buffer.from(await response.arrayBuffer());
        const file = await readFile(await download.path());
        expect(download.suggestedFilename()).toBe(`${FILE}${ending}`);
        expect(file.length, format).toBe(answer.length);
        if (format !== 'parquet') expect(file.equals(answer), format).toBe(true);
        await sheet.getByText(take.done('', FILE).split(FILE)[0] + FILE).waitFor();
      }

      const snippets: string[] = [];
      for (const snippet of [take.url, take.curl, take.client]) {
        const button = sheet.getByRole('button', { name: `${copy}: ${snippet}`, exact: true });
        await button.click();
        await button.getByText(copied).first().waitFor();
        snippets.push(await page.evaluate<string>('navigator.clipboard.readText()'));
      }
      const [view, curl, client] = snippets;
      expect(view).toBe(`${address}${SEARCH}`);
      expect(curl).toContain(`/reports/api/${role}/transactions?type=impressions&`);
      expect(client).toContain(`client.${role}.transactions.list({`);
      expect(snippets.join()).not.toContain(tokens[name]);
      expect((await rowsOfCommand(curl, tokens[name])).length).toBeGreaterThan(0);

      const saved: unknown[] = [];
      page.on('download', (download) => saved.push(download));
      const waiting = Promise.withResolvers<void>();
      await page.route('**/*format=ndjson*', async (route) => {
        await waiting.promise;
        await route.abort();
      });
      await choose('ndjson');
      await start.click();
      await sheet.getByRole('progressbar', { name: take.progress }).waitFor();
      await sheet.getByText(`${FILE}.ndjson`, { exact: true }).waitFor();
      await sheet.getByRole('button', { name: take.cancel }).click();
      await sheet.getByText(take.cancelled).waitFor();
      await expect.poll(async () => await hasFocus(start)).toBe(true);
      waiting.resolve();

      await choose('json');
      proxy.cutNext([20_000]);
      const before = proxy.cuts;
      await start.click();
      await sheet.getByText(take.broken(`${FILE}.json`)).waitFor();
      expect(proxy.cuts).toBe(before + 1);
      expect(saved).toEqual([]);
      const whole = page.waitForEvent('download');
      await sheet.getByRole('button', { name: again }).click();
      expect((await whole).suggestedFilename()).toBe(`${FILE}.json`);
      await expect.poll(async () => await hasFocus(start)).toBe(true);
    });
  });
});

/** The rows that a copied command prints, run with a token. */
async function rowsOfCommand(command = '', token = ''): Promise<readonly { status: string }[]> {
  const options = { env: { ...process.env, TOKEN: token }, maxBuffer: 2 ** 28 };
  const { stdout } = await promisify(execFile)('sh', ['-c', command], options);
  return JSON.parse(stdout) as readonly { status: string }[];
}

const hasFocus = async (what: Locator): Promise<boolean> =>
  await what.evaluate((element) => element.ownerDocument.activeElement === element);

/** Slows the responses down until the returned session is detached. */
async function slowDown(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const bytesPerSecond = 600_000;
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  return devtools;
}

// Only in the full run. In `npm test`, the test above checks the progress, the next one the speed, and both cancel.
test.runIf(IS_FULL)('a download shows its progress and speed, and can be cancelled', async () => {
  await visit(stage, { search: SEARCH }, async ({ page }) => {
    const sheet = await open(page, admin);
    await slowDown(page);
    await sheet.getByRole('radio', { name: 'NDJSON' }).check();
    await sheet.getByRole('button', { name: 'Download' }).click();
    await sheet.getByText(/ so far, .+\/s/).waitFor();
    expect(await sheet.getByRole('progressbar').isVisible()).toBe(true);
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    await sheet.getByText('Cancelled. Nothing was saved.').waitFor();
  });
});

/** The files in the private file system of the page, by name. */
const filesOf = async (page: Page) =>
  await page.evaluate<Readonly<Record<string, string>>>(`(async () => {
  const files = {};
  for await (const [name, handle] of (await navigator.storage.getDirectory()).entries()) {
    files[name] = await (await handle.getFile()).text();
  }
  return files;
})()`);

/** A script that removes the files in the private file system of the page. */
const WITHOUT_FILES = `(async () => {
  const folder = await navigator.storage.getDirectory();
  for await (const name of folder.keys()) await folder.removeEntry(name);
})()`;

test('a download is streamed into the picked file if the browser supports it', async () => {
  await saving(SEARCH, async ({ page }) => {
    const sheet = await openSheet(page);
    await sheet.getByRole('radio', { name: 'CSV Comma' }).check();
    await sheet.getByRole('button', { name: 'Download' }).click();
    await sheet.getByText(/^Complete: /).waitFor();
    const address = `/reports/api/admin/transactions${SEARCH}&order=desc&format=csv`;
    const answer = await (await stage.service.get(address, admin)).text();
    expect(await filesOf(page)).toEqual({ 'impressions_2020-01-01_2030-12-31.csv': answer });
    const devtools = await slowDown(page);
    await sheet.getByRole('radio', { name: 'NDJSON' }).check();
    await sheet.getByRole('button', { name: 'Download' }).click();
    await sheet.getByText(/ so far, .+\/s/).waitFor();
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    await sheet.getByText('Cancelled. Nothing was saved.').waitFor();
    expect(Object.keys(await filesOf(page))).toEqual(['impressions_2020-01-01_2030-12-31.csv']);
    await sheet.getByRole('radio', { name: 'CSV Comma' }).check();
    await sheet.getByRole('button', { name: 'Download' }).click();
    await sheet.getByText(/ so far, .+\/s/).waitFor();
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    await sheet.getByText('Cancelled. Nothing was saved.').waitFor();
    expect(await filesOf(page)).toEqual({ 'impressions_2020-01-01_2030-12-31.csv': answer });
    await devtools.detach();
  });
});

// Only in the full run. In `npm test`, the test above streams a file, and the first test downloads whole files.
test.runIf(IS_FULL)(
  'a download continues while its sheet is closed and the query changes',
  async () => {
    await visit(stage, { search: SEARCH }, async ({ page }) => {
      const sheet = await open(page, admin);
      await slowDown(page);
      await sheet.getByRole('radio', { name: 'JSON One JSON array' }).check();
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
  },
);

// Only in the full run. In `npm test`, the first test repeats a failed download.
test.runIf(IS_FULL)(
  'a retry repeats the failed download, even if format and query have changed',
  async () => {
    const address = `${proxy.url}${new URL(stage.address).pathname}`;
    await visit({ ...stage, address }, { search: SEARCH }, async ({ page }) => {
      const sheet = await open(page, admin);
      await sheet.getByRole('radio', { name: 'JSON One JSON array' }).check();
      proxy.cutNext([20_000]);
      await sheet.getByRole('button', { name: 'Download' }).click();
      await sheet.getByText(/^The download of .+ failed\. Nothing was saved\.$/).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('radio', { name: 'Leads' }).check({ force: true });
      await page.locator('.list th[aria-sort] button').click();
      await page.waitForURL(/type=leads.*order=asc/);
      await page.getByRole('button', { name: 'Download failed' }).click();
      const chosen = async () => await sheet.getByRole('radio', { checked: true }).inputValue();
      expect(await chosen()).toBe('json');
      await sheet.getByRole('radio', { name: 'Parquet' }).check();
      await sheet.getByText(`The download of ${FILE}.json failed. Nothing was saved.`).waitFor();
      const coming = page.waitForEvent('download');
      await sheet.getByRole('button', { name: 'Try again' }).click();
      const download = await coming;
      expect(download.suggestedFilename()).toBe(`${FILE}.json`);
      expect(await chosen()).toBe('json');
      const asked = `/reports/api/admin/transactions${SEARCH}&order=desc&format=json`;
      const answer = await (await stage.service.get(asked, admin)).text();
      expect(await readFile(await download.path(), 'utf8')).toBe(answer);
    });
  },
);

test('a file that cannot be written is reported, and nothing is saved elsewhere', async () => {
  await saving(SEARCH, async ({ page, asked }) => {
    const sheet = await openSheet(page);
    await sheet.getByRole('radio', { name: 'CSV Comma' }).check();
    await page.evaluate(`{
      const { createWritable } = FileSystemFileHandle.prototype;
      FileSystemFileHandle.prototype.createWritable = async () => {
        FileSystemFileHandle.prototype.createWritable = createWritable;
        throw new DOMException('It is locked.', 'NoModificationAllowedError');
      };
    }`);
    await sheet.getByRole('button', { name: 'Download' }).click();
    await sheet.getByText(`${FILE}.csv cannot be saved there. Choose another location.`).waitFor();
    expect(asked.join()).not.toContain('format=csv');
    expect(await filesOf(page)).toEqual({});
    await sheet.getByRole('button', { name: 'Try again' }).click();
    await sheet.getByText(/^Complete: /).waitFor();
    expect(Object.keys(await filesOf(page))).toEqual([`${FILE}.csv`]);
  });
});

/** A file picker that can be open only once at a time, as in Chromium. */
const PICKING = `window.picked = 0;
window.showSaveFilePicker = async ({ suggestedName }) => {
  window.picked += 1;
  if (window.picked > 1) throw new DOMException('File picker already active.', 'NotAllowedError');
  await new Promise((resolve) => setTimeout(resolve, 300));
  const folder = await navigator.storage.getDirectory();
  return await folder.getFileHandle(suggestedName, { create: true });
}`;

test('a double click on the CSV of performance opens one picker, and a refused CSV leaves no file', async () => {
  const search = '?type=sales&period=last-month&full=true';
  await saving(search, async ({ page }) => {
    const sheet = page.getByRole('dialog', { name: 'Performance' });
    const csv = sheet.getByRole('button', { name: 'CSV' });
    await csv.waitFor();
    const path = /\/performance\?.*(format=csv|limit=1(&|$))/;
    const json = {
      status: 403,
      code: 'publisher_forbidden',
      title: 'x',
      detail: 'x',
      request_id: 'x',
    };
    const contentType = 'application/problem+json';
    await page.route(
      path,
      async (route) => await route.fulfill({ status: 403, contentType, json }),
    );
    await csv.click();
    await sheet.getByText('This publisher is not one of yours.').waitFor();
    expect(await filesOf(page)).toEqual({});
    await page.unroute(path);
    // The last test of this page, because its picker opens only once.
    await page.evaluate(PICKING);
    await csv.dblclick({ delay: 60 });
    await expect.poll(async () => Object.values(await filesOf(page)).join()).not.toBe('');
    expect(await page.evaluate('window.picked')).toBe(1);
    expect(await sheet.getByRole('alert').count()).toBe(0);
  });
});

const DOUBLE_CLICKS = [
  ['', 0],
  [PICKING, 1],
] as const;

// Only in the full run. In `npm test`, the formats above are each downloaded once.
test.runIf(IS_FULL).each(DOUBLE_CLICKS)(
  'a double click begins one download and does not end it: %#',
  async (picking, pickers) => {
    await visit(stage, { search: SEARCH }, async ({ page, asked }) => {
      const sheet = await open(page, tokens.affiliate_en_token);
      await page.evaluate(picking);
      const saved: unknown[] = [];
      page.on('download', (download) => saved.push(download));
      await sheet.getByRole('button', { name: 'Download' }).dblclick({ delay: 60 });
      await sheet.getByText(/^Complete: /).waitFor();
      expect(asked.filter((one) => one.includes('format=csv')).length).toBe(1);
      expect(await page.evaluate('window.picked ?? 0')).toBe(pickers);
      await expect.poll(() => saved.length).toBe(1 - pickers);
    });
  },
);

const ROOT = join(import.meta.dirname, '../..');

/** Compiles code that uses the client in a strict project; returns the errors. */
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

// Only in the full run. In `npm test`, the first test copies a command and runs it, and client/package.test.ts
// compiles code that reads lists.
test.runIf(IS_FULL)(
  'the query can be copied as a working command, as code and as a URL, without the token',
  async () => {
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
      const rows = await rowsOfCommand(curl, tokens.affiliate_en_token);
      expect(rows.length).toBeGreaterThan(0);
      expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['1', '2']));
    });
  },
);

// Only in the full run. In `npm test`, journey.test.ts checks the name of a file of a filtered list.
test.runIf(IS_FULL)('the file name shows that filters apply', async () => {
  await visit(stage, { search: `${SEARCH}&status=1` }, async ({ page }) => {
    const sheet = await open(page, tokens.affiliate_en_token);
    await sheet.getByText(/^All [\d,]+ transactions of this query, with all fields\.$/).waitFor();
    await sheet.getByRole('radio', { name: 'CSV for Excel' }).check();
    const coming = page.waitForEvent('download');
    await sheet.getByRole('button', { name: 'Download' }).click();
    expect((await coming).suggestedFilename()).toBe(
      'impressions_2020-01-01_2030-12-31_filtered_excel.csv',
    );
  });
});

// Only in the full run. In `npm test`, screens.test.ts opens the sheet of downloads.
test.runIf(IS_FULL)('an empty list has no download', async () => {
  await visit(stage, { search: `${SEARCH}&clickid=nothing` }, async ({ page }) => {
    await signIn(page, tokens.affiliate_en_token);
    await page.getByText('No transactions match').waitFor();
    await page.getByRole('button', { name: 'Download' }).click();
    const sheet = page.getByRole('dialog', { name: 'Download' });
    await sheet.getByText('Nothing to download: no transactions match').waitFor();
    expect(await sheet.getByRole('button', { name: 'Download' }).isDisabled()).toBe(true);
  });
});

test('the number of downloaded transactions has the correct plural', () => {
  const intros = [1, 12].map((count) =>
    [EN, FR].map(({ download: take }) => take.intro(count, String(count))),
  );
  expect(intros).toEqual([
    [
      'The transaction of this query, with all fields.',
      'La transaction de cette recherche, avec tous les champs.',
    ],
    [
      'All 12 transactions of this query, with all fields.',
      'Les 12 transactions de cette recherche, avec tous les champs.',
    ],
  ]);
});
