import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/run/longest-first.ts';
import { type TestProject, testFilesByProject } from './test/support/run/projects.ts';

/** Milliseconds. Real engines and browsers may be slow on a busy machine. */
const TIMEOUTS = {
  unit: 30_000,
  service: 180_000,
  cluster: 180_000,
  browser: 180_000,
} as const satisfies Record<TestProject, number>;

export default defineConfig({
  test: {
    // A busy machine may take seconds to show what a test waits for.
    expect: { poll: { timeout: 15_000 } },
    // The embedded engine belongs to one process, so every file of tests has its own.
    pool: 'forks',
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    globalSetup: './test/support/run/run-directory.ts',
    reporters: ['default', './test/support/run/summary-reporter.ts'],
    projects: testFilesByProject()
      .entries()
      .map(([name, include]) => ({
        extends: true as const,
        test: {
          name,
          include: [...include],
          testTimeout: TIMEOUTS[name],
          hookTimeout: TIMEOUTS[name],
        },
      }))
      .toArray(),
  },
});
