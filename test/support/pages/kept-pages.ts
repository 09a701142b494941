/** Signed-in pages that tests of one file share: a test opens its address within the loaded page. */

import type { Page } from 'playwright-core';
import {
  type OpenPage,
  openPage,
  type Stage,
  signIn,
  type Visit,
  type VisitOptions,
} from '../programs/explorer.ts';
import { IS_FULL } from '../run/test-extent.ts';
import type { DemoTokens } from './demo-database.ts';

type TokenName = Extract<keyof DemoTokens, `${string}_token`>;

export interface Look extends VisitOptions {
  readonly token: TokenName;
  /** The language that is selected at the sign-in; that of the token by default. */
  readonly language?: 'en' | 'fr';
}

/** The size of a window in tests that do not say one. */
const WINDOW = { width: 1280, height: 720 } as const;

/**
 * Runs a test on a signed-in page at an address. Except in a full run, later tests with the same token use the page
 * again. A test need not undo filters, routes, sheets or the size of the window, but one that changes preferences
 * must undo that, or open its own page.
 */
export function keptPages(demo: { readonly stage: Stage; readonly tokens: DemoTokens }) {
  const pages = new Map<string, OpenPage>();
  return async (
    { token, language, search = '', locale = 'en-GB', viewport = WINDOW, ...options }: Look,
    test: (visit: Visit) => Promise<void>,
  ) => {
    const key = JSON.stringify([token, language, locale, options]);
    const known = pages.get(key);
    pages.delete(key);
    const open = known ?? (await openPage(demo.stage, { ...options, locale, viewport, search }));
    try {
      if (known === undefined) await enter(open.page, demo.tokens[token], language);
      else await startAgain(known, search, viewport ?? WINDOW);
      await test(open);
    } catch (error) {
      // A test that failed may leave anything behind.
      await open.close();
      throw error;
    }
    if (IS_FULL) await open.close();
    else pages.set(key, open);
  };
}

async function enter(page: Page, token: string, language: Look['language']): Promise<void> {
  if (language !== undefined) await page.getByLabel(/Language|Langue/).selectOption(language);
  await signIn(page, token);
}

async function startAgain(
  kept: OpenPage,
  search: string,
  viewport: { readonly width: number; readonly height: number },
): Promise<void> {
  const { page } = kept;
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.setViewportSize({ ...viewport });
  await page.mouse.move(0, 0);
  await page.evaluate(LEAVE);
  await page.locator('dialog[open]').first().waitFor({ state: 'detached' });
  // Forgets the requests and errors of the former test. Those of the load below belong to the next test.
  kept.forget();
  await page.evaluate(OPEN_ADDRESS(search));
  await page.locator(UNSETTLED).first().waitFor({ state: 'detached' });
}

/** A script that closes all open dialogs and removes the focus. */
const LEAVE = `{
  for (const sheet of document.querySelectorAll('dialog[open]')) sheet.close();
  document.activeElement?.blur();
}`;

/** As if a link of the page led to the address. */
const OPEN_ADDRESS = (search: string) => `{
  scrollTo(0, 0);
  history.pushState(null, '', location.pathname + ${JSON.stringify(search)});
  dispatchEvent(new PopStateEvent('popstate'));
}`;

/** What is loading, and what is left of the former address. */
const UNSETTLED = '.old, [aria-busy="true"]';
