import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long for their size, by which files are sorted where they never ran. */
const LONG = [
  'sending/long-waits',
  'docs/examples',
  'ingest/crashes',
  'explorer/screens',
  'client/list',
  'cli/import-databases',
  'ingest/killed',
  'cluster/kills',
  'cluster/outages',
  'guards/roles',
  'cluster/import-crashes',
  'cli/import-names',
  'lists/cursors',
  'explorer/questions',
  'formats/formats-broken',
  'cluster/imports',
].map((name) => `/${name}.test.ts`);

/** Begins what takes long, so that no worker ends alone with it. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((end) => moduleId.endsWith(end));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The embedded engine belongs to one process, so every file of tests has its own.
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    globalSetup: './test/support/run/run-directory.ts',
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ['default', './test/support/run/closing-line.ts'],
  },
});
