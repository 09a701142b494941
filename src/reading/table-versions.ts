/** Versions of tables for entity tags: writes change them, and merges of parts do not. */

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { KeptFrom } from '../contract/record/retention.ts';
import { isExclusive, type Reader } from '../engine/engine.ts';
import { isPartitionedByMonth } from '../plan/directory/directory-names.ts';
import type { ListPlan, Selection } from '../plan/list-plan.ts';
import { boundsStatement } from '../plan/list-statement.ts';
import { TABLE_OF } from '../plan/report-table.ts';
import type { Period } from '../plan/slices.ts';
import { removalsHashStatement, versionStatement } from '../plan/version-statement.ts';
import { numberedFirstKeptMonths } from '../schema/values/kept-months.ts';
import type { NumberedValue } from '../schema/values/stored-value.ts';
import {
  type PartitionParts,
  REMOVAL_TABLES,
  readTableParts,
  type TableParts,
} from './table-parts.ts';
import { VersionMemo } from './version-memo.ts';

/** Selects all partitions of a table: `partitionsIn` leaves out some only for a period by `created_at`. */
const NO_DATES = { dateField: 'updated_at', from: 0, until: 0 } as const;

/** Stands for the version of the tables on a server that does not answer. */
const UNAVAILABLE = 'out';

/** Milliseconds until a request for a version times out. */
const TIMEOUT = 500;

/** Milliseconds for which a server that timed out is skipped. */
const SKIPPED_FOR = 5000;

export class TableVersions {
  readonly #reader: Reader;
  readonly #parts: VersionMemo<TableParts>;
  readonly #versions: VersionMemo<string>;
  readonly #periods: VersionMemo<Period>;
  readonly #kept: VersionMemo<NumberedValue<KeptFrom>>;
  readonly #skippedUntil = new Map<Reader, number>();

  constructor(reader: Reader) {
    this.#reader = reader;
    this.#parts = new VersionMemo(() => reader.versions?.all);
    this.#versions = new VersionMemo(() => reader.versions?.all);
    this.#periods = new VersionMemo(() => reader.versions?.all);
    this.#kept = new VersionMemo(() => reader.versions?.tokensAndValues);
  }

  /** Whether versions are always up to date, because no other process can write. */
  get isExact(): boolean {
    return isExclusive(this.#reader);
  }

  /**
   * A text that changes with the rows of tables that a selection may touch.
   *
   * On ClickHouse servers it may be a second old, unless `isLatest` is set.
   */
  async versionOf(
    selection: Selection,
    tables: readonly string[],
    { isLatest = false } = {},
  ): Promise<string> {
    if (this.isExact) return versionText(await this.parts(), selection, tables);
    const { dateField, from, until } = selection;
    const key = [...tables, ...(dateField === 'created_at' ? [from, until] : [])].join(' ');
    const query = async () => await this.#queryVersion(selection, tables);
    return isLatest
      ? await this.#versions.refresh(key, query)
      : await this.#versions.get(key, query);
  }

  /**
   * A text that changes when values are removed from rows: by an erasure, by retention, or because IP
   * addresses are masked. On servers it may be a second old.
   *
   * On servers it is a hash of the rows of `keys` and `erasures`, read from one replica of each shard. So
   * clients find the kept files of their lists (kept-list.ts) even while another replica is slow.
   */
  async removalVersion(): Promise<string> {
    if (this.isExact) return versionText(await this.parts(), NO_DATES, REMOVAL_TABLES);
    return await this.#versions.get('removals', async () => {
      const [removals] = await this.#reader.rows(removalsHashStatement());
      return removals?.version ?? '';
    });
  }

  /** The parts of the tables. Without `isLatest`, they may be those before a merge. Requires `isExact`. */
  async parts({ isLatest = false } = {}): Promise<TableParts> {
    const query = async () => await readTableParts(this.#reader);
    return isLatest ? await this.#parts.refresh('', query) : await this.#parts.get('', query);
  }

  /** The first month that retention has kept of each type, numbered. On servers it may be a second old. */
  async keptFrom(): Promise<NumberedValue<KeptFrom>> {
    return await this.#kept.get('', async () => await numberedFirstKeptMonths(this.#reader));
  }

  /** The period of all dates of creation in a role's table. */
  async periodOf(plan: ListPlan): Promise<Period> {
    const table = TABLE_OF[plan.role];
    if (this.isExact) return periodOf((await this.parts()).get(table) ?? []);
    return await this.#periods.get(table, async () => {
      const [bounds] = await this.#reader.rows(boundsStatement(plan));
      return { from: bounds?.first ?? 0, until: (bounds?.last ?? 0) + 1 };
    });
  }

  /** Any server may return the rows, so the version combines the versions of all servers. */
  async #queryVersion(selection: Selection, tables: readonly string[]): Promise<string> {
    const { servers } = this.#reader;
    if (servers === undefined) return await queryVersionOf(this.#reader, selection, tables);
    const parts = tables.map(servers.localTableOf);
    const queries = servers.readers.map(async (server) => {
      if (performance.now() < (this.#skippedUntil.get(server) ?? 0)) return UNAVAILABLE;
      const version = await Promise.race([
        queryVersionOf(server, selection, parts).catch(() => UNAVAILABLE),
        delay(TIMEOUT, UNAVAILABLE),
      ]);
      if (version === UNAVAILABLE) this.#skippedUntil.set(server, performance.now() + SKIPPED_FOR);
      return version;
    });
    const versions = await Promise.all(queries);
    // An unknown version never equals another one.
    return versions.includes(UNAVAILABLE) ? randomUUID() : versions.join(' ');
  }
}

async function queryVersionOf(
  reader: Reader,
  selection: Selection,
  tables: readonly string[],
): Promise<string> {
  const rows = await reader.rows(versionStatement(selection, tables));
  return rows[0]?.version ?? '';
}

const versionText = (
  parts: TableParts,
  selection: Pick<Selection, 'dateField' | 'from' | 'until'>,
  tables: readonly string[],
): string =>
  tables
    .flatMap((table) => [
      table,
      ...partitionsIn(parts, table, selection).map(({ version }) => version),
    ])
    .join(' ');

/** The months of a table that a selection may touch: all of them, unless the period is by date of creation. */
export function partitionsIn(
  parts: TableParts,
  table: string,
  { dateField, from, until }: Pick<Selection, 'dateField' | 'from' | 'until'>,
): readonly PartitionParts[] {
  const partitions = parts.get(table) ?? [];
  if (dateField !== 'created_at' || !isPartitionedByMonth(table)) return partitions;
  return partitions.filter(({ first, last }) => first < until && last >= from);
}

const periodOf = (partitions: readonly PartitionParts[]): Period =>
  partitions.length === 0
    ? { from: 0, until: 1 }
    : {
        from: Math.min(...partitions.map(({ first }) => first)),
        until: Math.max(...partitions.map(({ last }) => last)) + 1,
      };
