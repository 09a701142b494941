/** Headless Chromium from a package, for tests of pages in a real browser. */

import chromium from '@sparticuz/chromium';
import {
  type Browser,
  type BrowserContext,
  type LaunchOptions,
  chromium as launcher,
} from 'playwright-core';
import { fullOrShort } from '../run/test-extent.ts';

// Chromium draws without a graphics card, because an emulated one takes most of a page's processor time.
chromium.setGraphicsMode = false;

const launchOptions = async (): Promise<LaunchOptions> => ({
  executablePath: await chromium.executablePath(),
  args: [
    '--disable-gpu',
    '--disable-software-rasterizer',
    '--font-render-hinting=none',
    // All pages share one process where possible, because its start takes long.
    ...fullOrShort([], ['--disable-site-isolation-trials', '--renderer-process-limit=1']),
  ],
  headless: true,
});

export const openBrowser = async (): Promise<Browser> =>
  await launcher.launch(await launchOptions());

/** A browser that keeps its profile, such as its cache, in a directory. */
export const openPersistentBrowser = async (directory: string): Promise<BrowserContext> =>
  await launcher.launchPersistentContext(directory, await launchOptions());
