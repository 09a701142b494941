/** Every table that holds transactions: the first is written, the others are filled from it. */

import { TABLE_OF } from '../plan/report-table.ts';
import { COPIES, copyStorage, createCopyFeed } from './projections.ts';
import { createFeed, storage } from './table-definitions.ts';
import type { Layout } from './topology.ts';

export interface TransactionTable {
  readonly table: string;
  /** How a table like it is kept under another name. */
  readonly storage: (name: string, layout: Layout) => string;
  /** The view that fills one like it. */
  readonly feed: ((view: string, from: string, to: string) => string) | undefined;
}

export const TRANSACTION_TABLES: readonly TransactionTable[] = [
  {
    table: TABLE_OF.admin,
    storage: (name, layout) => storage('admin', name, layout),
    feed: undefined,
  },
  {
    table: TABLE_OF.affiliate,
    storage: (name, layout) => storage('affiliate', name, layout),
    feed: createFeed,
  },
  ...COPIES.map((copy) => ({
    table: copy.table,
    storage: (name: string, layout: Layout) => copyStorage(copy, name, layout),
    feed: createCopyFeed,
  })),
];
