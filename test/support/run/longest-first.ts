/** Orders the test files: the longest ones of each project first, so that no worker ends alone with one of them. */

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds of the longest files, measured in a run on two cores. A fresh clone has no other durations. */
const SECONDS: Readonly<Record<string, number>> = {
  'explorer/questions': 159,
  'explorer/screens': 145,
  'explorer/glance': 137,
  'explorer/sign-in': 89,
  'explorer/rows': 71,
  'explorer/downloads': 66,
  'explorer/list': 58,
  'explorer/journey': 49,
  'explorer/performance/earnings': 41,
  'explorer/access/documentation': 35,
  'cli/import-databases': 106,
  'cluster/import-crashes': 64,
  'erasure/stores': 63,
  'cluster/imports': 52,
  'privacy/address-changes': 50,
  'backup/stores': 43,
  'cli/clickhouse': 42,
  'cluster/outages': 41,
  'backup/interrupted': 71,
  'http/guards/roles': 52,
  'http/lists/properties': 48,
  'http/formats/formats-large': 47,
  'docs/examples': 46,
  'erasure/erasure': 43,
  'backup/backup': 43,
  'control/interruptions': 42,
  'continuous/continuous-imports': 40,
  'deployment/nginx': 38,
  'directory/import': 35,
  'docs/sync-into-a-warehouse': 35,
  'cli/demo': 35,
  'cli/progress': 34,
  'webhooks/deliveries': 34,
  'ingest/formats': 33,
  'http/guards/masked-addresses': 33,
  'http/formats/formats-broken': 32,
  'http/sending/failing-server': 31,
  'privacy/page': 30,
};

const secondsOf = ({ moduleId }: TestSpecification): number =>
  SECONDS[/\/test\/(.+)\.test\.ts$/.exec(moduleId)?.[1] ?? ''] ?? 0;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // By project, so that consecutive files can share a process. Then by their last duration, else by size.
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const projectOf = ({ project }: TestSpecification) => projects.indexOf(project.name);
    return sorted.toSorted(
      (one, other) => projectOf(one) - projectOf(other) || secondsOf(other) - secondsOf(one),
    );
  }
}
