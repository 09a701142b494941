/** A real browser, from a package: headless Chromium. */

import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium as launcher } from 'playwright-core';

/** In a single process the browser ends with its first page; without security it shares everything. */
const UNLIKE_READERS = [
  '--single-process',
  '--disable-web-security',
  '--allow-running-insecure-content',
];

const asReadersHaveIt = async () => ({
  executablePath: await chromium.executablePath(),
  args: chromium.args.filter((flag) => !UNLIKE_READERS.includes(flag)),
  headless: true,
});

export const openBrowser = async (): Promise<Browser> =>
  await launcher.launch(await asReadersHaveIt());

/** One that keeps what it keeps in a directory. */
export const openProfile = async (directory: string): Promise<BrowserContext> =>
  await launcher.launchPersistentContext(directory, await asReadersHaveIt());
