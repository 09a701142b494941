import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/run/longest-first.ts';
import { memoryDirectory } from './test/support/run/memory-directory.ts';
import { type TestProject, testFilesByProject } from './test/support/run/projects.ts';
import { IS_FULL } from './test/support/run/test-extent.ts';

/** Milliseconds until a test counts as stuck, also on a slow and busy machine. */
const TIMEOUTS = {
  unit: 30_000,
  service: 600_000,
  cluster: 900_000,
  browser: 600_000,
} as const satisfies Record<TestProject, number>;

/** Whether each file has a process of its own. Few files use clusters and browsers, so they would gain little. */
const IS_ISOLATED = {
  unit: false,
  service: IS_FULL,
  cluster: true,
  browser: true,
} as const satisfies Record<TestProject, boolean>;

/** The projects with temporary files in memory. The browser is unpacked to the disk, and stays there. */
const IN_MEMORY: readonly TestProject[] = ['service', 'cluster'];

/** A full run has too many files. */
const directory = IS_FULL ? undefined : memoryDirectory();

export default defineConfig({
  test: {
    // The embedded engine opens one database at a time in a process.
    pool: 'forks',
    // Two more than cores, because tests often wait for servers, timers and retries.
    maxWorkers: Math.max(2, availableParallelism()) + 2,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['./test/support/run/run-directory.ts'],
    // What is waited for may take long on a busy machine.
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
          // Files of a project share a process and load modules once; `end-commands.ts` clears what commands
          // leave. In a full run, each file of `service` has a process of its own.
          isolate: IS_ISOLATED[name],
          setupFiles: name === 'unit' ? [] : ['./test/support/run/end-commands.ts'],
          env: directory !== undefined && IN_MEMORY.includes(name) ? { TMPDIR: directory } : {},
          testTimeout: TIMEOUTS[name],
          hookTimeout: TIMEOUTS[name],
        },
      }))
      .toArray(),
  },
});
