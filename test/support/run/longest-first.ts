/** Orders the test files: the longest ones first, so that no worker ends alone with one of them. */

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long for their size. Vitest sorts the others by their last duration, else by size. */
const LONGEST = [
  'http/sending/long-waits',
  'docs/examples',
  'ingest/crashes',
  'explorer/screens',
  'client/list',
  'cli/import-databases',
  'ingest/killed',
  'cluster/kills',
  'cluster/outages',
  'http/guards/roles',
  'cluster/import-crashes',
  'cli/import-names',
  'http/lists/cursors',
  'explorer/questions',
  'http/formats/formats-broken',
  'cluster/imports',
].map((name) => `/test/${name}.test.ts`);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      LONGEST.some((end) => moduleId.endsWith(end));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
