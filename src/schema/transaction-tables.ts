/** Every table that holds transactions: the first is written, the others are filled from it. */

import { TABLE_OF } from '../plan/report-table.ts';
import { createProjectionView, PROJECTIONS, projectionStorage } from './projections.ts';
import { createFeed, storage } from './table-definitions.ts';
import type { Topology } from './topology.ts';

export interface TransactionTable {
  readonly table: string;
  /** How a table like it is kept under another name. */
  readonly storage: (name: string, topology: Topology) => string;
  /** The view that fills one like it. */
  readonly feed: ((view: string, from: string, to: string) => string) | undefined;
}

export const TRANSACTION_TABLES: readonly TransactionTable[] = [
  {
    table: TABLE_OF.admin,
    storage: (name, topology) => storage('admin', name, topology),
    feed: undefined,
  },
  {
    table: TABLE_OF.affiliate,
    storage: (name, topology) => storage('affiliate', name, topology),
    feed: createFeed,
  },
  ...PROJECTIONS.map((copy) => ({
    table: copy.table,
    storage: (name: string, topology: Topology) => projectionStorage(copy, name, topology),
    feed: createProjectionView,
  })),
];
