/** Reads months from the engine: all rows, or only those of new parts. */

import { setImmediate as turn } from 'node:timers/promises';
import { freeBuffer } from '../disk/free-buffer.ts';
import type { Reader } from '../engine/engine.ts';
import type { PartitionParts } from '../reading/table-parts.ts';
import type { TableVersions } from '../reading/table-versions.ts';
import { CachedMonth, mergedNewest } from './cached-month.ts';
import { type MonthTable, monthStatement } from './month-statement.ts';
import { ownerReader } from './owner-reader.ts';
import { PartsRead } from './parts-read.ts';
import { BlockBuilder } from './rows/block-builder.ts';
import { type OwnerIndex, OwnerIndexBuilder } from './rows/owner-index.ts';
import type { RowBlocks } from './rows/row-blocks.ts';
import { rowsIn, type StoredRow } from './rows/stored-row.ts';

/** The most rows that are kept as changes: this number, or this share of the month if it is more. */
const MAX_CHANGES = 2000;
const MAX_CHANGED_SHARE = 0.1;

/** Changed rows that are processed before other work gets its turn, which takes about two milliseconds. */
const PACE = 2000;

export interface LoaderDeps {
  readonly reader: Reader;
  readonly versions: TableVersions;
  readonly signal: AbortSignal;
}

/** Whether a month can be brought up to date, and faster than by reading it again. */
export function isUpdatable({ content }: CachedMonth, { parts }: PartitionParts): boolean {
  const { blocks, partsRead } = content;
  const rows = partsRead.unreadOf(parts).reduce((all, part) => all + part.rows, 0);
  return partsRead.areIn(parts) && rows <= Math.max(MAX_CHANGES, blocks.rows * MAX_CHANGED_SHARE);
}

export class MonthLoader {
  readonly #deps: LoaderDeps;

  constructor(deps: LoaderDeps) {
    this.#deps = deps;
  }

  /**
   * Reads a month in one scan; undefined if it takes more than `maxBytes`. Yields to other work after each block.
   */
  async load(
    table: MonthTable,
    partition: PartitionParts,
    maxBytes: number,
  ): Promise<CachedMonth | undefined> {
    const { reader, signal } = this.#deps;
    const builder = new BlockBuilder(ownerReader(table));
    const statement = monthStatement(table, partition.partition);
    for await (const bytes of reader.read(statement, signal)) {
      for (const row of rowsIn(bufferOf(bytes))) if (builder.add(row)) await turn();
      freeBuffer(bytes);
      if (builder.bytes > maxBytes) return undefined;
    }
    const month = await monthOf(table, partition, builder.finish());
    return month.bytes > maxBytes ? undefined : month;
  }

  /**
   * Brings a month up to date; undefined if the new parts were merged before they were read.
   */
  async update(month: CachedMonth, partition: PartitionParts): Promise<CachedMonth | undefined> {
    const { table, partsRead, blocks, changes } = month.content;
    const names = partsRead.unreadOf(partition.parts).map(({ name }) => name);
    const written = await this.#rowsOfParts(table, partition.partition, names);
    if (written === undefined) return undefined;
    const all: StoredRow[] = [];
    for (const row of mergedNewest(changes, written, 'asc'))
      if (all.push(row) % PACE === 0) await turn();
    const most = Math.max(MAX_CHANGES, blocks.rows * MAX_CHANGED_SHARE);
    if (all.length <= most) return await monthOf(table, partition, blocks, withoutWaste(all));
    return await monthOf(table, partition, await compacted(table, blocks, all));
  }

  /** The rows of parts; undefined if one of them was merged before it was read. */
  async #rowsOfParts(
    table: MonthTable,
    partition: string,
    names: readonly string[],
  ): Promise<readonly StoredRow[] | undefined> {
    const { reader, versions, signal } = this.#deps;
    const statement = monthStatement(table, partition, names);
    const blocks = await Array.fromAsync(reader.read(statement, signal));
    const parts = await versions.parts({ isLatest: true });
    const month = parts.get(table.table)?.find((other) => other.partition === partition);
    const left = new Set(month?.parts.map(({ name }) => name));
    return names.every((name) => left.has(name)) ? rowsIn(Buffer.concat(blocks)) : undefined;
  }
}

async function monthOf(
  table: MonthTable,
  { partition, parts }: PartitionParts,
  blocks: RowBlocks,
  changes: readonly StoredRow[] = [],
): Promise<CachedMonth> {
  const partsRead = new PartsRead(parts);
  const owners = await ownersOf(table, changes);
  const changeIndex = owners && { owners, blocks: blocks.indexesOf(changes) };
  return new CachedMonth({ table, partition, partsRead, blocks, changes, changeIndex });
}

/** New blocks that merge the changed rows into the old blocks. */
async function compacted(
  table: MonthTable,
  blocks: RowBlocks,
  changes: readonly StoredRow[],
): Promise<RowBlocks> {
  const builder = new BlockBuilder(ownerReader(table));
  for (const row of mergedNewest(blocks.all(), changes, 'asc')) if (builder.add(row)) await turn();
  return builder.finish();
}

async function ownersOf(
  table: MonthTable,
  rows: readonly StoredRow[],
): Promise<OwnerIndex | undefined> {
  const read = ownerReader(table);
  if (read === undefined) return undefined;
  const builder = new OwnerIndexBuilder();
  for (const [at, row] of rows.entries()) {
    builder.add(read(row));
    if (at % PACE === PACE - 1) await turn();
  }
  return builder.finish();
}

/**
 * The rows, copied into one buffer if less than half of the bytes in their buffers is still needed. A row keeps its
 * whole buffer in memory, with all rows that were read together with it.
 */
function withoutWaste(rows: readonly StoredRow[]): readonly StoredRow[] {
  const needed = rows.reduce((all, { size }) => all + size, 0);
  const held = new Set(rows.map(({ bytes }) => bytes));
  if (held.values().reduce((all, { length }) => all + length, 0) <= 2 * needed) return rows;
  const copy = Buffer.allocUnsafeSlow(needed);
  let end = 0;
  for (const row of rows) end += row.copyTo(copy, end);
  return rowsIn(copy);
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
