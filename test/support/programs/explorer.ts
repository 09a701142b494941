/** The explorer in a real browser, before a real service with the year of the demo. */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { makeDemoTokens } from '../../../src/cli/commands/demo-access.ts';
import { LocalOperator } from '../../../src/control/local-operator.ts';
import { openDatabase } from '../../../src/database/open-database.ts';
import { writeDemoFile } from '../../../src/demo/demo-file.ts';
import { newDatabase, putCopy } from '../databases/copied-database.ts';
import { startService, type TestService, type TestServiceOptions } from '../requests/service.ts';
import { inFull } from '../run/test-extent.ts';
import { openBrowser } from '../servers/browser.ts';

const BUILD = join(import.meta.dirname, '../../../scripts/build-explorer.js');

/** Builds the explorer of these sources as it is published, once in a run, and returns where it is. */
export async function buildExplorer(): Promise<URL> {
  const directory = await mkdtemp(join(tmpdir(), 'explorer-'));
  await putCopy('explorer', directory, async (draft) => {
    const { NODE_ENV: _, ...env } = process.env;
    await promisify(execFile)(process.execPath, [BUILD, draft], { env });
  });
  return pathToFileURL(`${directory}/`);
}

export interface Stage {
  readonly service: TestService;
  readonly browser: Browser;
  readonly explorer: URL;
  /** Of the page, with its slash. */
  readonly address: string;
  close(): Promise<void>;
}

const BASE = '/reports';

interface StageOptions extends TestServiceOptions {
  /** Another one than that of these sources. */
  readonly explorer?: URL;
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const explorer = options.explorer ?? (await buildExplorer());
  const [service, browser] = await Promise.all([
    startService({
      basePath: BASE,
      ...options,
      parts: (parts) => ({ ...(options.parts?.(parts) ?? parts), explorer }),
    }),
    openBrowser(),
  ]);
  return {
    service,
    browser,
    explorer,
    address: `${service.url}${BASE}/`,
    close: async () => {
      await browser.close();
      await service.close();
    },
  };
}

export type DemoTokens = Awaited<ReturnType<typeof makeDemoTokens>>;

/** In the directory of the database. */
const TOKENS = 'demo-tokens.json';

/** Makes an embedded database with a year of the demo that ended yesterday, and tokens beside it. */
const demoDatabase =
  (rows: number): typeof newDatabase =>
  async (directory, timeZone) =>
    await putCopy(`demo-${rows}-${timeZone}`, directory, async (draft) => {
      await newDatabase(draft, timeZone);
      const operator = new LocalOperator(await openDatabase({ url: `chdb:${draft}`, timeZone }));
      const path = join(draft, 'demo.csv');
      const lastDay = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
      await writeDemoFile(path, { rows, lastDay });
      const files = [{ path, name: 'demo.csv' }];
      await operator.importFiles({ files, round: false, rejects: false }, {});
      await writeFile(join(draft, TOKENS), JSON.stringify(await makeDemoTokens(operator)));
      await operator.close();
      await rm(path);
    });

/** The page before a year of the demo; gives the tokens of who may look. */
export async function openDemoStage(rows: number, options: StageOptions = {}) {
  const demo = { tokens: '' };
  const makeEmbedded: typeof newDatabase = async (directory, timeZone) => {
    await demoDatabase(rows)(directory, timeZone);
    demo.tokens = await readFile(join(directory, TOKENS), 'utf8');
  };
  const stage = await openStage({ ...options, makeEmbedded });
  return { stage, tokens: JSON.parse(demo.tokens) as DemoTokens };
}

export interface Visit {
  readonly page: Page;
  /** The addresses that were asked for. */
  readonly asked: readonly string[];
  /** What the browser complained of, such as what the content security policy forbids. */
  readonly complaints: readonly string[];
}

/** Milliseconds for which something may take to appear. */
const PATIENCE = 60_000;

/** Most browsers let no page write to a file; where one does, its reader picks a private one of the page. */
const PICKERS = {
  none: 'delete window.showSaveFilePicker',
  private: `window.showSaveFilePicker = async ({ suggestedName }) => {
  const folder = await navigator.storage.getDirectory();
  return await folder.getFileHandle(suggestedName, { create: true });
}`,
};

interface VisitOptions extends BrowserContextOptions {
  readonly search?: string;
  readonly picker?: keyof typeof PICKERS;
}

/** Opens the page, lets a test look at it and closes it. */
export async function visit(
  { browser, address }: Stage,
  options: VisitOptions,
  look: (visit: Visit) => Promise<void>,
): Promise<void> {
  const { search = '', picker = 'none', ...others } = options;
  const context = await browser.newContext({ locale: 'en-GB', ...others });
  await context.addInitScript(PICKERS[picker]);
  const page = await context.newPage();
  context.setDefaultTimeout(PATIENCE);
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  try {
    await page.goto(address + search);
    await look({ page, asked, complaints });
  } finally {
    await context.close();
  }
}

/** Signs in as a reader would. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByRole('textbox', { name: /token|jeton/i }).fill(token);
  await page.getByRole('button', { name: /sign in|se connecter/i }).click();
}

/** For a file of tests: the page before a year of the demo, from its first test to its last. */
export function demoStage(rows: number) {
  const demo = {} as { stage: Stage; tokens: DemoTokens };
  beforeAll(async () => void Object.assign(demo, await openDemoStage(rows)));
  afterAll(async () => await demo.stage.close());
  return demo;
}

/** Each role in each language of the page, chosen at the door. */
const EVERY_READER = [
  ['an administrator', 'admin', 'fr', 'admin_token'],
  ['an administrator', 'admin', 'en', 'admin_token'],
  ['an affiliate', 'affiliate', 'fr', 'affiliate_token'],
  ['an affiliate', 'affiliate', 'en', 'affiliate_en_token'],
] as const;

/** Each role and each language once, and in full each role in each language. */
export const READERS = inFull<readonly (typeof EVERY_READER)[number][]>(EVERY_READER, [
  EVERY_READER[0],
  EVERY_READER[3],
]);
