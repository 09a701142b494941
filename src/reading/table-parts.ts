/** Reads the list of data parts of the embedded engine's tables. */

import type { Reader } from '../engine/engine.ts';
import { DIRECTORY } from '../plan/directory/directory-names.ts';
import { PARTNERSHIPS } from '../plan/report-table.ts';
import { type PartRow, partsStatement } from '../plan/version-statement.ts';
import { TRANSACTION_TABLES } from '../schema/transaction-tables.ts';

export interface Part {
  readonly name: string;
  readonly rows: number;
  /** The numbers of the first and the last insert whose rows the part holds. */
  readonly firstBlock: number;
  readonly lastBlock: number;
  /** The number of the last mutation of its rows; 0 for none. Inserts and mutations share one sequence of numbers. */
  readonly mutation: number;
}

/** One month of a table, or the whole of a table without months. */
export interface PartitionParts {
  readonly partition: string;
  readonly parts: readonly Part[];
  readonly rows: number;
  /** The first and the last date of creation, in seconds since 1970 (UTC). */
  readonly first: number;
  readonly last: number;
  /** A text that changes with the rows, and that merges keep. */
  readonly version: string;
}

/** By table, the months that have rows, in order. */
export type TableParts = ReadonlyMap<string, readonly PartitionParts[]>;

/** Tables that change when an erasure, retention or the masking of IP addresses begins and ends. */
export const REMOVAL_TABLES = ['keys', 'erasures'] as const;

const TABLES = [
  ...TRANSACTION_TABLES.map(({ table }) => table),
  DIRECTORY,
  PARTNERSHIPS,
  ...REMOVAL_TABLES,
];

/** All parts of the tables that reports read. */
export async function readTableParts(reader: Reader): Promise<TableParts> {
  const lines = await reader.rows(partsStatement(TABLES));
  const byTable = Map.groupBy(lines, ({ table }) => table);
  return new Map(TABLES.map((table) => [table, partitionsOf(byTable.get(table) ?? [])]));
}

function partitionsOf(lines: readonly PartRow[]): readonly PartitionParts[] {
  const months = [...Map.groupBy(lines, ({ partition }) => partition)];
  const partitions = months.map(([partition, rows]) => {
    const parts = rows.map(partOf);
    return {
      partition,
      parts,
      rows: parts.reduce((all, part) => all + part.rows, 0),
      first: Math.min(...rows.map(({ first }) => first)),
      last: Math.max(...rows.map(({ last }) => last)),
      version: versionOf(partition, parts),
    };
  });
  return partitions.sort((one, other) => one.first - other.first);
}

/** New rows have a higher block number than all others, and merges keep the numbers. */
function versionOf(partition: string, parts: readonly Part[]): string {
  const newest = Math.max(...parts.map(({ lastBlock }) => lastBlock));
  const mutation = Math.max(...parts.map((part) => part.mutation));
  return `${partition}_${newest}_${mutation}`;
}

/** From a name such as `202601_1_7_2`, or `202601_1_7_2_8` after a mutation. */
function partOf({ name, rows }: PartRow): Part {
  const [, first, last, , mutation = 0] = name.split('_');
  return {
    name,
    rows,
    firstBlock: Number(first),
    lastBlock: Number(last),
    mutation: Number(mutation),
  };
}
