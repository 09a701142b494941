import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/run/longest-first.ts';
import { memoryDirectory } from './test/support/run/memory-directory.ts';
import { type TestProject, testFilesByProject } from './test/support/run/projects.ts';
import { IS_FULL } from './test/support/run/test-extent.ts';

/** Milliseconds after which a test counts as stuck, even on a slow and busy machine. */
const TIMEOUTS = {
  unit: 30_000,
  service: 600_000,
  cluster: 900_000,
  browser: 600_000,
} as const satisfies Record<TestProject, number>;

/** How many times longer a test may take in a full run, where some tests do a hundred times as much. */
const FULL_TIMES = IS_FULL ? 6 : 1;

/** Whether each file has a process of its own, whose start takes about two seconds of processor time. */
const IS_ISOLATED = {
  unit: false,
  service: IS_FULL,
  cluster: IS_FULL,
  browser: IS_FULL,
} as const satisfies Record<TestProject, boolean>;

/** The projects with temporary files in memory. Not `browser`: its browser is unpacked to the disk once. */
const IN_MEMORY: readonly TestProject[] = ['service', 'cluster'];

/** The directory in memory for temporary files. A full run has too many of them. */
const directory = IS_FULL ? undefined : memoryDirectory();

export default defineConfig({
  test: {
    // The embedded engine opens one database at a time in a process.
    pool: 'forks',
    // More workers than cores, because tests often wait for servers, timers and retries. A full run has fewer, so
    // that its longest file gets a larger share of the processor and ends with the others.
    maxWorkers: Math.max(2, availableParallelism()) + (IS_FULL ? 1 : 3),
    sequence: { sequencer: LongestFirst },
    globalSetup: ['./test/support/run/run-directory.ts'],
    // An expected condition may take long to come true on a busy machine.
    expect: { poll: { timeout: 120_000 } },
    reporters: ['default', './test/support/run/summary-reporter.ts'],
    projects: testFilesByProject()
      .entries()
      .map(([name, include]) => ({
        extends: true as const,
        test: {
          name,
          include: [...include],
          globalSetup: name === 'browser' ? ['./test/support/run/unpack-browser.ts'] : [],
          // Files that are not isolated share a process and load modules once. `end-commands.ts` ends the
          // commands that a file has left running.
          isolate: IS_ISOLATED[name],
          setupFiles:
            name === 'unit'
              ? []
              : ['./test/support/run/compile-cache.ts', './test/support/run/end-commands.ts'],
          env: directory !== undefined && IN_MEMORY.includes(name) ? { TMPDIR: directory } : {},
          testTimeout: TIMEOUTS[name] * FULL_TIMES,
          hookTimeout: TIMEOUTS[name] * FULL_TIMES,
        },
      }))
      .toArray(),
  },
});
