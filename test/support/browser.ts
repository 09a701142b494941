/** A real browser, from a package: headless Chromium. */

import chromium from '@sparticuz/chromium';
import { type Browser, chromium as launcher } from 'playwright-core';

/** In a single process the browser ends with its first page; without security it shares everything. */
const UNLIKE_READERS = [
  '--single-process',
  '--disable-web-security',
  '--allow-running-insecure-content',
];

export async function openBrowser(): Promise<Browser> {
  const executablePath = await chromium.executablePath();
  const args = chromium.args.filter((flag) => !UNLIKE_READERS.includes(flag));
  return await launcher.launch({ executablePath, args, headless: true });
}
