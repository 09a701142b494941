/** All tables of transactions: the first is written, and views fill the others from it. */

import { TABLE_OF } from '../plan/report-table.ts';
import { createProjectionView, PROJECTIONS, projectionStorage } from './projections.ts';
import { createFeed, storage } from './table-definitions.ts';
import type { Topology } from './topology.ts';

export interface TransactionTable {
  readonly table: string;
  /** The storage clauses of a table with the same columns and another name. */
  readonly storage: (name: string, topology: Topology) => string;
  /** Creates the view that fills such a table. */
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
  ...PROJECTIONS.map((projection) => ({
    table: projection.table,
    storage: (name: string, topology: Topology) => projectionStorage(projection, name, topology),
    feed: createProjectionView,
  })),
];
