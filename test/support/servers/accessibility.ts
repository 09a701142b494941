/** Accessibility faults of a page, found by axe. */

import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { fullOrShort, IS_FULL } from '../run/test-extent.ts';

/** A broken rule, the first element that breaks it, and why. */
export type AccessibilityFault = readonly (string | undefined)[];

/**
 * The faults that axe finds in the element that `part` selects, which must exist. A full run checks the whole page.
 * axe runs in the page itself, because our pages have no frames.
 */
export async function accessibilityFaults(
  page: Page,
  rules: readonly string[] = [],
  part = 'html',
): Promise<readonly AccessibilityFault[]> {
  // Evaluated scripts are not subject to the page's content security policy.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  const only = rules.length > 0 ? { runOnly: { type: 'rule', values: rules } } : {};
  // Without `preload`, axe does not load the style sheets again, which only its rule on the orientation needs.
  const options = JSON.stringify({ resultTypes: ['violations'], preload: IS_FULL, ...only });
  return await page.evaluate<readonly AccessibilityFault[]>(
    `axe.run(${JSON.stringify(fullOrShort('html', part))}, ${options}).then(({ violations }) => violations.map(${DESCRIBE}))`,
  );
}

const THEMES = ['light', 'dark'] as const;

/** Both themes in a full run; otherwise one of them, which depends on the screen. */
export const themesOf = (screen: string): readonly (typeof THEMES)[number][] =>
  THEMES.filter((_, at) => IS_FULL || screen.length % THEMES.length === at);

/** The open sheet. The page behind it is inert. */
export const OPEN_SHEET = 'dialog[open]';

const DESCRIBE = '({ id, nodes: [node] }) => [id, node?.html, node?.any[0]?.message]';
