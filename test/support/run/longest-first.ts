/** Orders the test files: the longest ones first, so that no worker ends alone with one of them. */

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long for their size. Vitest sorts the others by their last duration, else by size. */
const LONGEST = [
  'http/guards/roles',
  'http/lists/properties',
  'docs/examples',
  'client/list',
  'explorer/screens',
  'explorer/questions',
  'explorer/glance',
  'cli/import-databases',
  'docs/follow-changes',
  'docs/sync-into-a-warehouse',
  'ingest/killed',
  'ingest/crashes',
  'cluster/imports',
  'cluster/outages',
  'schema/copied-databases',
  'cli/import-names',
].map((name) => `/test/${name}.test.ts`);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      LONGEST.some((end) => moduleId.endsWith(end));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
