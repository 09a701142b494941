/** Orders the test files by duration, the longest first, so that no worker ends alone with one of them. */

import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { IS_FULL } from './test-extent.ts';

/** Durations of the longest files in seconds, measured on two cores, because Vitest knows none in a fresh clone. */
const SECONDS: Readonly<Record<string, number>> = {
  'explorer/sign-in': 59,
  'explorer/list': 56,
  'backup/backup': 53,
  'privacy/address-changes': 43,
  'explorer/questions': 42,
  'explorer/screens': 38,
  'cli/import-databases': 37,
  'cluster/import-crashes': 37,
  'erasure/stores': 35,
  'continuous/continuous-imports': 32,
  'explorer/downloads': 30,
  'cluster/imports': 29,
  'cli/clickhouse-users': 27,
  'backup/interrupted': 25,
  'control/interruptions': 24,
  'explorer/journey': 24,
  'audit/audit-command': 24,
  'explorer/performance/earnings': 23,
  'webhooks/deliveries': 23,
  'http/guards/roles': 23,
  'explorer/access/documentation': 22,
  'privacy/retention': 21,
  'schema/migrations': 21,
  'erasure/erasure': 20,
  'explorer/names-and-currency': 20,
  'privacy/page': 19,
  'explorer/access/provider': 19,
  'explorer/access/webhooks': 18,
  'client/browser': 18,
  'reading/import-barrier': 18,
  'cli/tokens': 17,
  'http/formats/formats-broken': 17,
  'months/month-cache': 16,
  'deployment/nginx': 16,
  'http/lists/pages': 16,
  'docs/sync-into-a-warehouse': 15,
  'months/both-paths': 15,
  'ingest/crashes': 14,
  'disk/full-disk': 13,
  'cli/demo': 13,
  'erasure/crashes': 13,
  'client/download': 13,
  'changes/changes': 13,
  'http/load/floods': 12,
  'client/changes': 12,
  'ingest/lines': 12,
  'http/guards/managed-webhooks': 12,
  'cli/import-names': 12,
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
