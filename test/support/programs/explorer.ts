/** The explorer in a real browser, with a real service that has the demo data. */

import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type newDatabase, putCopy } from '../databases/copied-database.ts';
import { type DemoTokens, demoDatabase, readDemoTokens } from '../pages/demo-database.ts';
import { keepResponses } from '../pages/kept-responses.ts';
import { startService, type TestService, type TestServiceOptions } from '../requests/service.ts';
import { fullOrShort, IS_FULL } from '../run/test-extent.ts';
import { openBrowser } from '../servers/browser.ts';

const BUILD = join(import.meta.dirname, '../../../scripts/build-explorer.js');

/** Builds the explorer as for a release, once in a run; returns its directory. */
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
  /** URL of the page, with the trailing slash. */
  readonly address: string;
  close(): Promise<void>;
}

const BASE = '/reports';

interface StageOptions extends TestServiceOptions {
  /** The directory of the explorer's files; by default, the one that `buildExplorer` returns. */
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
  if (!IS_FULL) keepResponses(service);
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

/** The page with a year of demo data, and the tokens for it. */
export async function openDemoStage(rows: number, options: StageOptions = {}) {
  const tokens = Promise.withResolvers<DemoTokens>();
  const makeEmbedded: typeof newDatabase = async (directory, timeZone) => {
    await demoDatabase(rows)(directory, timeZone);
    tokens.resolve(await readDemoTokens(directory));
  };
  const stage = await openStage({ ...options, makeEmbedded });
  return { stage, tokens: await tokens.promise };
}

export interface Visit {
  readonly page: Page;
  /** The requested URLs. */
  readonly asked: readonly string[];
  /** Errors of the browser, such as violations of the content security policy. */
  readonly complaints: readonly string[];
}

/** Timeout in milliseconds for an element to appear. */
const PATIENCE = 60_000;

/** `none`: no file picker, like in most browsers. `private`: the file picker returns a private file of the page. */
const PICKERS = {
  none: 'delete window.showSaveFilePicker',
  private: `window.showSaveFilePicker = async ({ suggestedName }) => {
  const folder = await navigator.storage.getDirectory();
  return await folder.getFileHandle(suggestedName, { create: true });
}`,
};

export interface VisitOptions extends BrowserContextOptions {
  readonly search?: string;
  readonly picker?: keyof typeof PICKERS;
}

export interface OpenPage extends Visit {
  /** Forgets the requested URLs and the errors. */
  forget(): void;
  close(): Promise<void>;
}

/** Animations cost processor time in every frame; a full run has them. */
const MOTION = fullOrShort({}, { reducedMotion: 'reduce' } as const);

/** Opens the page in a new context of the browser. */
export async function openPage(
  { browser, address }: Stage,
  { search = '', picker = 'none', ...others }: VisitOptions,
): Promise<OpenPage> {
  const context = await browser.newContext({ locale: 'en-GB', ...MOTION, ...others });
  await context.addInitScript(PICKERS[picker]);
  const page = await context.newPage();
  context.setDefaultTimeout(PATIENCE);
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  const forget = () => {
    asked.length = 0;
    complaints.length = 0;
  };
  await page.goto(address + search);
  return { page, asked, complaints, forget, close: async () => await context.close() };
}

/** Opens the page, runs a test on it and closes it. */
export async function visit(
  stage: Stage,
  options: VisitOptions,
  look: (visit: Visit) => Promise<void>,
): Promise<void> {
  const open = await openPage(stage, options);
  try {
    await look(open);
  } finally {
    await open.close();
  }
}

/** Signs in like a user. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByRole('textbox', { name: /token|jeton/i }).fill(token);
  await page.getByRole('button', { name: /sign in|se connecter/i }).click();
}

/** Opens the date picker. */
export async function openPeriods(page: Page): Promise<Locator> {
  await page.locator('.period-button').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('grid').first().waitFor();
  return dialog;
}

/** Chooses a named period in the date picker. */
export async function choosePeriod(page: Page, name: string): Promise<void> {
  const dialog = await openPeriods(page);
  await dialog.getByRole('button', { name, exact: true }).click();
}

/** Opens a stage with a year of demo data before the first test of a file, and closes it after the last one. */
export function demoStage(rows: number, options: StageOptions = {}) {
  const demo = {} as { stage: Stage; tokens: DemoTokens };
  beforeAll(async () => void Object.assign(demo, await openDemoStage(rows, options)));
  afterAll(async () => await demo.stage.close());
  return demo;
}

/** Each role in each language of the page, selected at the sign-in. */
const EVERY_READER = [
  ['an administrator', 'admin', 'fr', 'admin_token'],
  ['an administrator', 'admin', 'en', 'admin_token'],
  ['an affiliate', 'affiliate', 'fr', 'affiliate_token'],
  ['an affiliate', 'affiliate', 'en', 'affiliate_en_token'],
] as const;

/** Each role and each language once; in a full run, each role in each language. */
export const READERS = fullOrShort<readonly (typeof EVERY_READER)[number][]>(EVERY_READER, [
  EVERY_READER[0],
  EVERY_READER[3],
]);
