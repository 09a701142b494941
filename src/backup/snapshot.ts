/**
 * Copies all tables at one moment, in which no import becomes visible.
 *
 * The copies share the files of the tables, so they take milliseconds and no space. Imports go on
 * while a backup is written from the copies.
 */

import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { AddressVisibility } from '../contract/record/address-visibility.ts';
import type { Engine } from '../engine/engine.ts';
import { endDeadMarks } from '../ingest/staging/recover-others.ts';
import { dropStaging, type Staging, stagingOf } from '../ingest/staging/staging.ts';
import { INTEGER, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import { awaitReplication, type ClusterNodes, shardsOf } from '../schema/cluster-nodes.ts';
import { localTable, type Topology } from '../schema/topology.ts';
import { storedAddressVisibility } from '../schema/values/stored-address-visibility.ts';
import { UserError } from '../user-error.ts';
import { BACKUP_TABLES, copyTableName } from './backup-tables.ts';

/** Copies of all tables on one server of each shard. */
export interface Snapshot {
  readonly staging: Staging;
  readonly shards: readonly Engine[];
  /** What each role sees of IP addresses. */
  readonly addresses: AddressVisibility;
}

/**
 * Attempts, and the milliseconds between two. Publishing takes a few seconds: if it is still under way after
 * all attempts, it was probably interrupted.
 */
const ATTEMPTS = 60;
const ATTEMPT_INTERVAL = 500;

export async function takeSnapshot(nodes: ClusterNodes, signal: AbortSignal): Promise<Snapshot> {
  const { engine, topology } = nodes;
  const shards = (await shardsOf(nodes)).map(([server]) => server);
  await awaitReplication(
    nodes,
    BACKUP_TABLES.map((table) => localTable(topology, table)),
  );
  await endDeadMarks(nodes);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await stateOf(engine);
    const staging = stagingOf(randomBytes(8).toString('hex'));
    const snapshot = { shards, staging, addresses: before.addresses.visibility };
    if (before.unfinished === 0 && !before.addresses.isPending) {
      try {
        await copyTables(snapshot, topology);
        if (isDeepStrictEqual(await stateOf(engine), before)) return snapshot;
      } catch (error) {
        await dropStaging(nodes, staging).catch(() => undefined);
        throw error;
      }
      await dropStaging(nodes, staging);
    }
    await delay(ATTEMPT_INTERVAL);
    signal.throwIfAborted();
  }
  throw new UserError(
    'No consistent backup could be made: at each attempt, an import, an erasure, a removal of old rows or a change of IP_ADDRESSES was under way or had been interrupted.',
    'Wait until none runs, then back up again. If one was interrupted, the next import or erasure finishes it; for a removal of old rows, run: transactions retain; for a change of IP_ADDRESSES: transactions migrate',
  );
}

const PUBLICATIONS = v.object({ unfinished: INTEGER, last: v.string() });

/**
 * The state that imports, erasures and changes of IP_ADDRESSES alter. If it is the same before and after the
 * copying, all copies are of one moment.
 */
async function stateOf(engine: Engine) {
  const text =
    plainStatement(`SELECT countIf(state = 'publishing') + (SELECT count() FROM erasures FINAL WHERE state = 'erasing') AS unfinished,
  concat(toString(count()), ' ', toString(max(at))) AS last
FROM imports FINAL`);
  const [found] = await engine.rows(select(PUBLICATIONS, text));
  return { unfinished: 0, ...found, addresses: await storedAddressVisibility(engine) };
}

async function copyTables({ shards, staging }: Snapshot, topology: Topology): Promise<void> {
  for (const server of shards) {
    for (const table of BACKUP_TABLES) {
      const original = localTable(topology, table);
      const copy = copyTableName(topology, staging, table);
      await createLike(server, original, copy);
      await server.execute(plainStatement(`SYSTEM STOP MERGES ${copy}`));
      await server.execute(
        plainStatement(`ALTER TABLE ${copy} ATTACH PARTITION ALL FROM ${original}`),
      );
    }
  }
}

/** Creates an empty table with the same definition, except that it is not replicated. */
async function createLike(server: Engine, original: string, copy: string): Promise<void> {
  const definition = plainStatement(
    `SELECT engine_full FROM system.tables WHERE database = currentDatabase() AND name = '${original}'`,
  );
  const row = v.object({ engine_full: v.string() });
  const [found] = await server.rows(select(row, definition));
  const storage = found?.engine_full.replace(/^Replicated(\w+)\('[^']*', '[^']*'(?:, )?/, '$1(');
  await server.execute(plainStatement(`CREATE TABLE ${copy} AS ${original} ENGINE = ${storage}`));
}
