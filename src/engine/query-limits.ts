/** Tells the class of a query, and how many queries of each class an engine runs at a time. */

import { availableParallelism } from 'node:os';
import { QueueFull } from '../concurrency/semaphore.ts';
import type { Statement } from '../plan/sql.ts';
import { EngineBusy } from './engine.ts';
import type { QueryClass } from './query-class.ts';

export interface QueryLimit {
  readonly size: number;
  /** How many queries of one client run at a time. The rest is left for other clients. */
  readonly sizePerClient?: number;
  /** How many queries may wait for their turn. Each priority has a queue of this length (see semaphore.ts). */
  readonly maxQueue: number;
}

export const QUERY_LIMITS: Readonly<Record<QueryClass, QueryLimit>> = {
  // Two queries keep a core busy; each further query costs memory for its blocks.
  list: { size: Math.max(4, 2 * availableParallelism()), maxQueue: 512 },
  // Each takes every core. A second one runs only for another client.
  summary: { size: 2, sizePerClient: 1, maxQueue: 512 },
  file: { size: 2, sizePerClient: 1, maxQueue: 64 },
  // A search reads all names, which takes a tenth of a second for 100,000.
  directory: { size: 2, sizePerClient: 1, maxQueue: 512 },
  // Short, and they must never wait behind reports.
  lookup: { size: 4, maxQueue: 4096 },
  // They may take hours, so summaries must not wait behind them.
  scan: { size: 2, maxQueue: 64 },
};

export function queryClassOf(statement: Statement): QueryClass {
  const { boundaries, isAggregation, isOfDirectory, isScan, file } = statement;
  if (file !== undefined) return 'file';
  if (isOfDirectory) return 'directory';
  if (isScan) return 'scan';
  if (isAggregation) return 'summary';
  return boundaries === undefined ? 'lookup' : 'list';
}

/** Reports a full queue as EngineBusy; leaves other errors as they are. */
export const asEngineBusy = (error: unknown): unknown =>
  error instanceof QueueFull ? new EngineBusy({ cause: error }) : error;
