/** Ends a run with one plain line that any tool can read: `N passed, N failed, N skipped`. */

import type { Reporter, TestCase } from 'vitest/node';

export default class ClosingLine implements Reporter {
  readonly #counts = { passed: 0, failed: 0, skipped: 0 };

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state !== 'pending') this.#counts[state] += 1;
  }

  onTestRunEnd(): void {
    const { passed, failed, skipped } = this.#counts;
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  }
}
