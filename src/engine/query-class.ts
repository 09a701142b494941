/** Classes of queries, which wait in queues of their own. */

import type { SemaphoreUsage } from '../concurrency/semaphore.ts';

/**
 * Lists, summaries, Parquet and Arrow files, lists of programs and publishers, the service's own lookups, such as of a
 * token, and commands that read whole tables, such as backups.
 */
export const QUERY_CLASSES = ['list', 'summary', 'file', 'directory', 'lookup', 'scan'] as const;
export type QueryClass = (typeof QUERY_CLASSES)[number];

/** For each class: the number of running queries, and the state of its queues. */
export type QueryUsage = Readonly<Record<QueryClass, SemaphoreUsage>>;

/** One value for each class. */
export const valuesByClass = <Value>(
  valueFor: (name: QueryClass) => Value,
): Record<QueryClass, Value> => ({
  list: valueFor('list'),
  summary: valueFor('summary'),
  file: valueFor('file'),
  directory: valueFor('directory'),
  lookup: valueFor('lookup'),
  scan: valueFor('scan'),
});
