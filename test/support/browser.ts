/** A real browser, from a package: headless Chromium. */

import chromium from '@sparticuz/chromium';
import { type Browser, chromium as launcher } from 'playwright-core';

export async function openBrowser(): Promise<Browser> {
  const executablePath = await chromium.executablePath();
  // In a single process the browser ends with its first page.
  const args = chromium.args.filter((flag) => flag !== '--single-process');
  return await launcher.launch({ executablePath, args, headless: true });
}
