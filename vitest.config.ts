import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The embedded engine belongs to one process, so every file of tests has its own.
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: './test/support/place-of-databases.ts',
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ['default', './test/support/closing-line.ts'],
  },
});
