/**
 * Restores a backup into an empty database: everything becomes visible at once, or nothing.
 *
 * The tables are restored under the names of staging tables, verified, and then published like an
 * import. If the process dies while it publishes, the publication is finished like that of an import.
 */

import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import {
  type AddressVisibility,
  addressVisibilityText,
} from '../contract/record/address-visibility.ts';
import type { Engine } from '../engine/engine.ts';
import { publish } from '../ingest/staging/publishing.ts';
import { dropStaging, type Staging, stagingOf } from '../ingest/staging/staging.ts';
import { INTEGER, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import { type ClusterNodes, type Shard, shardsOf } from '../schema/cluster-nodes.ts';
import { localTable, type Topology } from '../schema/topology.ts';
import { UserError } from '../user-error.ts';
import type { BackupOptions, BackupReport } from './back-up.ts';
import { type BackupFacts, readFacts } from './backup-facts.ts';
import { type BackupPlace, locationOf } from './backup-place.ts';
import { BACKUP_TABLES, copyTableName, FACTS_TABLE, restoreClause } from './backup-tables.ts';
import { runTransfer } from './engine-transfer.ts';
import { RESTORE_MARK } from './interrupted-restore.ts';
import { withStagingHeartbeat } from './staging-heartbeat.ts';
import { verifyTable } from './verify-table.ts';

export interface RestoreDeps {
  readonly nodes: ClusterNodes;
  readonly timeZone: string;
  readonly addresses: AddressVisibility;
}

export async function restore(
  { nodes, timeZone, addresses }: RestoreDeps,
  from: BackupPlace,
  options: BackupOptions,
): Promise<BackupReport> {
  const started = performance.now();
  await refuseRows(nodes.engine);
  const staging = stagingOf(randomBytes(8).toString('hex'));
  const { topology } = nodes;
  const shards = await shardsOf(nodes);
  const filled = filledNodesOf(nodes, shards);
  let isPublishing = false;
  const restoreAll = async () => {
    const saved = await Promise.all(
      shards.map(async ([server], shard) => {
        const mark = copyTableName(topology, staging, RESTORE_MARK);
        return await factsAt(server, from, shard, mark);
      }),
    );
    for (const facts of saved) checkOrigin(facts, { timeZone, addresses, shards: shards.length });
    let bytes = 0;
    for (const [shard, facts] of saved.entries()) {
      for (const server of shards[shard] ?? []) {
        if (!filled.servers.includes(server)) continue;
        bytes += await fill({ server, topology, staging, shard }, from, facts, options);
      }
    }
    options.signal.throwIfAborted();
    isPublishing = true;
    await publish(filled, staging);
    isPublishing = false;
    const rowsOf = (table: string) =>
      saved.reduce((sum, { contents }) => sum + (contents[table]?.rows ?? 0), 0);
    const seconds = (performance.now() - started) / 1000;
    return { transactions: rowsOf('transactions'), tokens: rowsOf('tokens'), bytes, seconds };
  };
  try {
    return await withStagingHeartbeat(nodes, staging, restoreAll);
  } finally {
    // If publishing was interrupted, the next process that opens the database finishes it.
    if (!isPublishing) await dropStaging(nodes, staging).catch(() => undefined);
  }
}

/**
 * The servers that read the backup. With replicated tables, that is one of each shard, and the others follow it. They
 * have no staging tables, so that an interrupted restore is finished only with the servers that have its rows.
 */
function filledNodesOf(nodes: ClusterNodes, shards: readonly Shard[]): ClusterNodes {
  if (nodes.topology.cluster?.isReplicated !== true) return nodes;
  const servers = shards.map(([first]) => first);
  const [engine = nodes.engine] = servers;
  const followers = nodes.servers.filter((server) => !servers.includes(server));
  return { ...nodes, engine, servers, followers };
}

/** Reads the facts of a backup through a table, which the caller must drop. */
export async function factsAt(
  server: Engine,
  from: BackupPlace,
  shard: number,
  table: string,
): Promise<BackupFacts> {
  const statement = `RESTORE ${restoreClause(FACTS_TABLE, table)} FROM ${locationOf(from, shard)}`;
  const id = randomBytes(8).toString('hex');
  const signal = new AbortController().signal;
  await runTransfer({ server, id, statement, places: [from] }, { signal });
  return await readFacts(server, table);
}

async function refuseRows(engine: Engine): Promise<void> {
  const rows = plainStatement(
    'SELECT toUInt64((SELECT count() FROM transactions) + (SELECT count() FROM tokens) + (SELECT count() FROM directory)) AS rows',
  );
  const [found] = await engine.rows(select(v.object({ rows: INTEGER }), rows));
  if (found?.rows === 0) return;
  throw new UserError(
    'The database is not empty: it has transactions, access tokens or names of programs, publishers or supports.',
    'Restore into a new one: transactions restore … --database chdb:./restored',
  );
}

interface Target {
  readonly timeZone: string;
  readonly addresses: AddressVisibility;
  readonly shards: number;
}

function checkOrigin(facts: BackupFacts, { timeZone, addresses, shards }: Target): void {
  if (facts.time_zone !== timeZone) {
    throw new UserError(
      `The backup has the time zone ${facts.time_zone}, and the database ${timeZone}.`,
      `Restore into a database that was created with TIMEZONE=${facts.time_zone}`,
    );
  }
  if (facts.ip_addresses !== addressVisibilityText(addresses)) {
    throw new UserError(
      `The backup was made with IP_ADDRESSES="${facts.ip_addresses}", but the database has "${addressVisibilityText(addresses)}".`,
      `Migrate the empty database first: IP_ADDRESSES="${facts.ip_addresses}" transactions migrate`,
    );
  }
  if (facts.shards !== shards) {
    throw new UserError(
      `The backup has ${facts.shards} shards, and the database ${shards}.`,
      'Restore into a database with the same number of shards.',
    );
  }
}

interface Place {
  readonly server: Engine;
  readonly topology: Topology;
  readonly staging: Staging;
  readonly shard: number;
}

/** Restores the tables of one server under other names, and compares them with the facts. */
async function fill(
  { server, topology, staging, shard }: Place,
  from: BackupPlace,
  facts: BackupFacts,
  { signal, onProgress }: BackupOptions,
): Promise<number> {
  const copies = BACKUP_TABLES.map((table) => ({
    table,
    copy: copyTableName(topology, staging, table),
  }));
  const tables = copies.map(({ table, copy }) => restoreClause(table, copy));
  const statement = `RESTORE ${tables.join(', ')} FROM ${locationOf(from, shard)}`;
  const id = randomBytes(8).toString('hex');
  const bytes = await runTransfer(
    { server, id, statement, places: [from] },
    {
      signal,
      onProgress: (done, total) =>
        onProgress?.(total === 0 ? 0 : (shard + done / total) / facts.shards),
    },
  );
  for (const { table, copy } of copies) {
    signal.throwIfAborted();
    await server.execute(plainStatement(`SYSTEM STOP MERGES ${copy}`));
    await verifyTable({ server, table, target: localTable(topology, table), copy }, facts);
  }
  return bytes;
}
