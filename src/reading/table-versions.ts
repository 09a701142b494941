/** Versions of the tables, for entity tags: another version wherever rows were written, the same after merges. */

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Reader } from '../engine/engine.ts';
import type { ReportPlan, Selection } from '../plan/report-plan.ts';
import { boundsStatement } from '../plan/report-statement.ts';
import { TABLE_OF } from '../plan/report-table.ts';
import type { Period } from '../plan/slices.ts';
import { versionStatement } from '../plan/version-statement.ts';
import { type PartitionParts, readTableParts, type TableParts } from './table-parts.ts';
import { VersionMemo } from './version-memo.ts';

/** Stands for the version of a server that does not answer. */
const OUT = 'out';

/** Milliseconds that a server has to tell its version, and for which it is not asked after that. */
const PATIENCE = 500;
const OUT_FOR = 5000;

export class TableVersions {
  readonly #reader: Reader;
  readonly #parts: VersionMemo<TableParts>;
  readonly #versions: VersionMemo<string>;
  readonly #periods: VersionMemo<Period>;
  readonly #outUntil = new Map<Reader, number>();

  constructor(reader: Reader) {
    this.#reader = reader;
    this.#parts = new VersionMemo(reader);
    this.#versions = new VersionMemo(reader);
    this.#periods = new VersionMemo(reader);
  }

  /** Whether no other process can write, so that a version is never out of date. */
  get isExact(): boolean {
    return this.#reader.state !== undefined;
  }

  /**
   * A text that changes with the rows of tables that a selection may touch.
   *
   * On servers it is up to a second old, unless it is to be the latest.
   */
  async versionOf(
    selection: Selection,
    tables: readonly string[],
    { isLatest = false } = {},
  ): Promise<string> {
    if (this.isExact) return versionText(await this.parts(), selection, tables);
    const { dateField, from, until } = selection;
    const key = [...tables, ...(dateField === 'created_at' ? [from, until] : [])].join(' ');
    const ask = async () => await this.#asked(selection, tables);
    return isLatest ? await this.#versions.ask(key, ask) : await this.#versions.get(key, ask);
  }

  /** The parts of the tables, the latest or any with the same rows; only where no other process can write. */
  async parts({ isLatest = false } = {}): Promise<TableParts> {
    const ask = async () => await readTableParts(this.#reader);
    return isLatest ? await this.#parts.ask('', ask) : await this.#parts.get('', ask);
  }

  /** From the first date of creation in a role's table to right after the last one. */
  async periodOf(plan: ReportPlan): Promise<Period> {
    const table = TABLE_OF[plan.role];
    if (this.isExact) return periodOf((await this.parts()).get(table) ?? []);
    return await this.#periods.get(table, async () => {
      const [bounds] = await this.#reader.rows(boundsStatement(plan));
      return { from: bounds?.first ?? 0, until: (bounds?.last ?? 0) + 1 };
    });
  }

  /** Any of several servers may give the rows, so the version is that of all of them. */
  async #asked(selection: Selection, tables: readonly string[]): Promise<string> {
    const { servers } = this.#reader;
    if (servers === undefined) return await askedOf(this.#reader, selection, tables);
    const parts = tables.map(servers.partOf);
    const asked = servers.readers.map(async (server) => {
      if (performance.now() < (this.#outUntil.get(server) ?? 0)) return OUT;
      const version = await Promise.race([
        askedOf(server, selection, parts).catch(() => OUT),
        delay(PATIENCE, OUT),
      ]);
      if (version === OUT) this.#outUntil.set(server, performance.now() + OUT_FOR);
      return version;
    });
    const versions = await Promise.all(asked);
    // A version that cannot be known is never the same.
    return versions.includes(OUT) ? randomUUID() : versions.join(' ');
  }
}

async function askedOf(
  reader: Reader,
  selection: Selection,
  tables: readonly string[],
): Promise<string> {
  const rows = await reader.rows(versionStatement(selection, tables));
  return rows[0]?.version ?? '';
}

const versionText = (parts: TableParts, selection: Selection, tables: readonly string[]): string =>
  tables
    .flatMap((table) => [table, ...partitionsIn(parts, table, selection).map(versionOfPartition)])
    .join(' ');

/** The months of a table whose rows a selection may touch: by another date than that of creation all of them. */
export function partitionsIn(
  parts: TableParts,
  table: string,
  { dateField, from, until }: Pick<Selection, 'dateField' | 'from' | 'until'>,
): readonly PartitionParts[] {
  const partitions = parts.get(table) ?? [];
  if (dateField !== 'created_at') return partitions;
  return partitions.filter(({ first, last }) => first < until && last >= from);
}

/** New rows have a higher number than all others; a merge keeps the numbers. */
function versionOfPartition({ partition, parts }: PartitionParts): string {
  const newest = Math.max(...parts.map(({ lastBlock }) => lastBlock));
  const mutation = Math.max(...parts.map((part) => part.mutation));
  return `${partition}_${newest}_${mutation}`;
}

const periodOf = (partitions: readonly PartitionParts[]): Period =>
  partitions.length === 0
    ? { from: 0, until: 1 }
    : {
        from: Math.min(...partitions.map(({ first }) => first)),
        until: Math.max(...partitions.map(({ last }) => last)) + 1,
      };
