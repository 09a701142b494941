/** Accessibility faults of a page, found by axe. */

import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** A broken rule, the first element that breaks it, and why. */
export type AccessibilityFault = readonly (string | undefined)[];

/** Runs axe in the page itself: ours have no frames. Only faults are worked out in detail. */
export async function accessibilityFaults(
  page: Page,
  rules: readonly string[] = [],
): Promise<readonly AccessibilityFault[]> {
  // Evaluated scripts are not subject to the page's content security policy.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  const only = rules.length > 0 ? { runOnly: { type: 'rule', values: rules } } : {};
  const options = JSON.stringify({ resultTypes: ['violations'], ...only });
  return await page.evaluate<readonly AccessibilityFault[]>(
    `axe.run(${options}).then(({ violations }) => violations.map(${DESCRIBE}))`,
  );
}

const DESCRIBE = '({ id, nodes: [node] }) => [id, node?.html, node?.any[0]?.message]';
