/** Orders the test files by duration, the longest first, so that no worker ends alone with one of them. */

import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { IS_FULL } from './test-extent.ts';

/** Durations of the longest files in seconds, measured on two cores, because Vitest knows none in a fresh clone. */
const SECONDS: Readonly<Record<string, number>> = {
  'explorer/sign-in': 39,
  'backup/backup': 31,
  'erasure/stores': 29,
  'privacy/retention': 28,
  'explorer/list': 27,
  'explorer/screens': 26,
  'cli/import-databases': 26,
  'http/guards/roles': 26,
  'deployment/nginx': 25,
  'webhooks/deliveries': 24,
  'continuous/continuous-imports': 24,
  'cluster/import-crashes': 24,
  'control/interruptions': 23,
  'privacy/address-changes': 23,
  'backup/interrupted': 21,
  'cli/tokens': 20,
  'cli/clickhouse-users': 20,
  'schema/migrations': 20,
  'explorer/questions': 20,
  'erasure/erasure': 20,
  'cluster/imports': 18,
  'changes/changes': 18,
  'months/both-paths': 16,
  'http/formats/formats-broken': 15,
  'http/guards/masked-addresses': 14,
  'ingest/dialect/value-dialects': 14,
  'docs/examples': 13,
  'explorer/access/provider': 13,
  'docs/follow-changes': 13,
  'months/month-cache': 13,
  'explorer/downloads': 13,
  'ingest/crashes': 13,
  'control/serving': 13,
  'cli/demo': 12,
  'docs/sync-into-a-warehouse': 12,
  'client/download': 12,
  'explorer/journey': 12,
  'http/guards/managed-tokens': 12,
  'reading/list-stream': 11,
  'http/lists/sorting': 10,
  'ingest/conflicts': 9,
  'reading/import-barrier': 9,
  'http/sending/streaming': 9,
  'http/lists/pages': 9,
  'explorer/names-and-currency': 9,
  'http/guards/managed-webhooks': 9,
  'auth/creators': 9,
  'cli/settings': 8,
};

/** Durations in a full run, in seconds, of the files that take much longer in it. */
const SECONDS_IN_FULL: Readonly<Record<string, number>> = {
  'months/both-paths': 2810,
  'privacy/address-changes': 943,
  'changes/feed-property': 911,
  'privacy/retention': 812,
  'http/guards/masked-addresses': 648,
  'http/lists/properties': 520,
  'erasure/crashes': 470,
  'http/guards/roles': 450,
  'backup/interrupted': 394,
  'ingest/crashes': 227,
  'explorer/screens': 221,
  'http/performance/performance-properties': 204,
  'http/lists/sorting': 193,
  'changes/histories': 186,
  'webhooks/killed': 173,
  'explorer/questions': 172,
  'cli/import-databases': 157,
  'ingest/killed': 146,
  'http/lists/transaction': 135,
  'generators/generators': 134,
  'explorer/sign-in': 120,
  'explorer/glance': 104,
  'deployment/container': 102,
  'cluster/import-crashes': 99,
  'client/list': 99,
  'http/replies/entity-tags': 96,
  'backup/backup': 90,
};

function secondsOf({ moduleId }: TestSpecification): number {
  const file = /\/test\/(.+)\.test\.ts$/.exec(moduleId)?.[1] ?? '';
  return (IS_FULL ? SECONDS_IN_FULL[file] : undefined) ?? SECONDS[file] ?? 0;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // In `npm test`, files are sorted by project first, so that consecutive files can share a process. In a full run,
    // few files share a process, so the project does not matter. The second criterion is the known duration, if any.
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const projectOf = ({ project }: TestSpecification) =>
      IS_FULL ? 0 : projects.indexOf(project.name);
    return sorted.toSorted(
      (one, other) => projectOf(one) - projectOf(other) || secondsOf(other) - secondsOf(one),
    );
  }
}
