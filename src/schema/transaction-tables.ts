/** All tables of transactions: the first is written, and views fill the others from it. */

import type { AddressVisibility } from '../contract/record/address-visibility.ts';
import type { Reader } from '../engine/engine.ts';
import { TABLE_OF } from '../plan/report-table.ts';
import { ANY_ROW, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import { affiliateColumns, affiliateViewSql } from './affiliate-view.ts';
import { awaitReplication, type ClusterNodes } from './cluster-nodes.ts';
import {
  PROJECTIONS,
  projectedColumns,
  projectionStorage,
  projectionViewSql,
} from './projections.ts';
import { storage, storedFields } from './table-definitions.ts';
import { localTable, type Topology } from './topology.ts';

type CreateView = (view: string, from: string, to: string, addresses: AddressVisibility) => string;

interface Fill {
  readonly columns: string;
  readonly select: string;
}

export interface TransactionTable {
  readonly table: string;
  /** The storage clauses of a table with the same columns and another name. */
  readonly storage: (name: string, topology: Topology) => string;
  /** Creates the view that fills a staging copy of this table; undefined for the first table, which is written. */
  readonly createView: CreateView | undefined;
  /** The columns that are not computed, and the query that selects them from the first table. */
  readonly fill: (from: string, addresses: AddressVisibility) => Fill;
}

/** The administrators' columns that are not computed. The engine computes the others on insert. */
function storedColumns(from: string): Fill {
  const columns = ['type', ...storedFields('admin').map(({ name }) => name)].join(', ');
  return { columns, select: `SELECT ${columns} FROM ${from}` };
}

export const TRANSACTION_TABLES: readonly TransactionTable[] = [
  {
    table: TABLE_OF.admin,
    storage: (name, topology) => storage('admin', name, topology),
    createView: undefined,
    fill: storedColumns,
  },
  {
    table: TABLE_OF.affiliate,
    storage: (name, topology) => storage('affiliate', name, topology),
    createView: affiliateViewSql,
    fill: affiliateColumns,
  },
  ...PROJECTIONS.map((projection) => ({
    table: projection.table,
    storage: (name: string, topology: Topology) => projectionStorage(projection, name, topology),
    createView: projectionViewSql,
    fill: projectedColumns,
  })),
];

/** The names of the tables on one server. */
export const localTransactionTables = (topology: Topology): readonly string[] =>
  TRANSACTION_TABLES.map(({ table }) => localTable(topology, table));

/** Whether the database has any version of a transaction. */
export async function hasTransactions(reader: Reader): Promise<boolean> {
  const row = select(ANY_ROW, plainStatement('SELECT 1 FROM transactions LIMIT 1'));
  return (await reader.rows(row)).length > 0;
}

/** Waits until every replica has all transactions. A step that reads them from one replica needs that. */
export const awaitTransactions = async (nodes: ClusterNodes): Promise<void> =>
  await awaitReplication(nodes, localTransactionTables(nodes.topology));
