/** Ends a run with its slowest files and one line that any tool can read: `N passed, N failed, N skipped`. */

import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { IS_FULL } from './test-extent.ts';

const SHOWN_FILES = 15;

export default class SummaryReporter implements Reporter {
  readonly #counts = { passed: 0, failed: 0, skipped: 0 };
  readonly #files: { readonly line: string; readonly milliseconds: number }[] = [];

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state !== 'pending') this.#counts[state] += 1;
    // Vitest shows the errors at the end only, and a run of hours may be stopped before.
    for (const { message, stack, diff = '' } of IS_FULL ? errors : []) {
      const place = `${test.module.relativeModuleId}: ${test.fullName}`;
      console.error(`${place}\n${stack ?? message}\n${diff}`);
    }
  }

  /** Counts failed hooks as failures. Vitest counts their tests as skipped, and reports the errors elsewhere. */
  #countFailedHooks(file: TestModule): void {
    const errors = [file, ...file.children.allSuites()].flatMap((suite) => suite.errors());
    this.#counts.failed += errors.length;
  }

  onTestModuleEnd(file: TestModule): void {
    this.#countFailedHooks(file);
    const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
      file.diagnostic();
    const starting = environmentSetupDuration + prepareDuration + collectDuration + setupDuration;
    this.#files.push({
      line: `${file.project.name.padEnd(8)} ${file.relativeModuleId}`,
      milliseconds: starting + duration,
    });
  }

  onTestRunEnd(): void {
    const slowest = this.#files.sort((one, other) => other.milliseconds - one.milliseconds);
    console.log('The slowest files, in seconds:');
    for (const { line, milliseconds } of slowest.slice(0, SHOWN_FILES)) {
      console.log(`${(milliseconds / 1000).toFixed(1).padStart(7)} ${line}`);
    }
    const { passed, failed, skipped } = this.#counts;
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  }
}
