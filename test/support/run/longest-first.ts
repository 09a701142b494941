/** Orders the test files: the longest ones first, so that no worker ends alone with one of them. */

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long for their size. Vitest sorts the others by their last duration, else by size. */
const LONGEST = [
  'cli/import-databases',
  'http/lists/properties',
  'cluster/imports',
  'cluster/outages',
  'docs/follow-changes',
  'explorer/questions',
  'explorer/glance',
  'explorer/downloads',
  'explorer/journey',
  'explorer/screens',
  'docs/sync-into-a-warehouse',
  'ingest/crashes',
  'ingest/killed',
  'cluster/import-crashes',
  'cli/import-names',
  'cli/clickhouse',
  'docs/examples',
  'http/formats/formats-broken',
].map((name) => `/test/${name}.test.ts`);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      LONGEST.some((end) => moduleId.endsWith(end));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
