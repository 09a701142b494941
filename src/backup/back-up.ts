/**
 * Writes a backup of a database while it is in use.
 *
 * The engine writes the list of files of a backup last, so an interrupted backup cannot be restored.
 */

import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { addressVisibilityText } from '../contract/record/address-visibility.ts';
import { VERSION } from '../contract/version.ts';
import type { Engine } from '../engine/engine.ts';
import { dropStaging, type Staging } from '../ingest/staging/staging.ts';
import { plainStatement } from '../plan/sql.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import type { Topology } from '../schema/topology.ts';
import { type BackupFacts, digestOfTable, readFacts, writeFacts } from './backup-facts.ts';
import { type BackupPlace, locationOf } from './backup-place.ts';
import {
  BACKUP_TABLES,
  backupClause,
  copyTableName,
  FACTS_TABLE,
  restoreClause,
} from './backup-tables.ts';
import { runTransfer } from './engine-transfer.ts';
import { takeSnapshot } from './snapshot.ts';
import { withStagingHeartbeat } from './staging-heartbeat.ts';

export interface BackupCommand {
  readonly to: BackupPlace;
  /** An earlier backup, whose files are not written again. */
  readonly base?: BackupPlace | undefined;
}

export interface BackupOptions {
  readonly signal: AbortSignal;
  /** Called with the fraction that is done, from 0 to 1. */
  readonly onProgress?: ((part: number) => void) | undefined;
}

export const BACKUP_REPORT = v.object({
  transactions: v.number(),
  tokens: v.number(),
  bytes: v.number(),
  seconds: v.number(),
});

export type BackupReport = v.InferOutput<typeof BACKUP_REPORT>;

export interface BackupDeps {
  readonly nodes: ClusterNodes;
  readonly timeZone: string;
  /** Runs work while this process publishes no import. */
  readonly betweenImports: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

export async function backUp(
  { nodes, timeZone, betweenImports }: BackupDeps,
  { to, base }: BackupCommand,
  { signal, onProgress }: BackupOptions,
): Promise<BackupReport> {
  const started = performance.now();
  const snapshot = await betweenImports(async () => await takeSnapshot(nodes, signal));
  const { staging, shards, addresses } = snapshot;
  try {
    const parts = shards.map(() => 0);
    const writing = shards.map((server, shard) => async () => {
      const facts = {
        version: VERSION,
        time_zone: timeZone,
        ip_addresses: addressVisibilityText(addresses),
        shards: shards.length,
      };
      const saved = new ShardBackup(server, nodes.topology, staging, shard);
      return await saved.write(to, base, facts, {
        signal,
        onProgress: (done, total) => {
          parts[shard] = total === 0 ? 0 : done / total;
          onProgress?.(parts.reduce((sum, part) => sum + part, 0) / parts.length);
        },
      });
    });
    const written = await withStagingHeartbeat(
      nodes,
      staging,
      async () => await Promise.all(writing.map((write) => write())),
    );
    const rowsOf = (table: string) =>
      written.reduce((sum, { contents }) => sum + (contents[table]?.rows ?? 0), 0);
    return {
      transactions: rowsOf('transactions'),
      tokens: rowsOf('tokens'),
      bytes: written.reduce((sum, { bytes }) => sum + bytes, 0),
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    await dropStaging(nodes, staging).catch(() => undefined);
  }
}

type Written = Pick<BackupFacts, 'contents'> & { readonly bytes: number };

/** The backup of one shard. */
class ShardBackup {
  readonly #server: Engine;
  readonly #topology: Topology;
  readonly #staging: Staging;
  readonly #shard: number;

  constructor(server: Engine, topology: Topology, staging: Staging, shard: number) {
    this.#server = server;
    this.#topology = topology;
    this.#staging = staging;
    this.#shard = shard;
  }

  async write(
    to: BackupPlace,
    base: BackupPlace | undefined,
    origin: Omit<BackupFacts, 'contents'>,
    options: Parameters<typeof runTransfer>[1],
  ): Promise<Written> {
    const contents: Record<string, BackupFacts['contents'][string]> = {};
    for (const table of BACKUP_TABLES) {
      options.signal.throwIfAborted();
      contents[table] = await digestOfTable(this.#server, table, this.#copy(table));
    }
    const facts = { ...origin, contents };
    await writeFacts(this.#server, this.#copy(FACTS_TABLE), facts);
    const tables = [...BACKUP_TABLES, FACTS_TABLE].map((table) =>
      backupClause(this.#copy(table), table),
    );
    const location = locationOf(to, this.#shard);
    const bytes = await runTransfer(
      {
        server: this.#server,
        id: `${this.#staging.id}-${this.#shard}`,
        statement: `BACKUP ${tables.join(', ')} TO ${location}`,
        settings: base === undefined ? [] : [`base_backup = ${locationOf(base, this.#shard)}`],
        places: base === undefined ? [to] : [to, base],
      },
      options,
    );
    await this.#readBack(location, facts);
    return { contents, bytes };
  }

  /** Verifies the new backup by restoring its table of facts, which also reads its list of files. */
  async #readBack(location: string, facts: BackupFacts): Promise<void> {
    const copy = this.#copy('readback');
    await this.#server.execute(
      plainStatement(`RESTORE ${restoreClause(FACTS_TABLE, copy)} FROM ${location}`),
    );
    if (isDeepStrictEqual(await readFacts(this.#server, copy), facts)) return;
    throw new Error(
      'The backup was written, but differs when it is read back. Delete it, then back up again.',
    );
  }

  #copy(table: string): string {
    return copyTableName(this.#topology, this.#staging, table);
  }
}
