/** Classes of queries, which wait in queues of their own. */

import type { SemaphoreUsage } from '../concurrency/semaphore.ts';

/** Lists, summaries, Parquet and Arrow files, and the service's own lookups, such as of a token. */
export const QUERY_CLASSES = ['list', 'summary', 'file', 'lookup'] as const;
export type QueryClass = (typeof QUERY_CLASSES)[number];

/** The queue of each class, and the queries that run. */
export type QueryUsage = Readonly<Record<QueryClass, SemaphoreUsage>>;
