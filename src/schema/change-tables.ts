/**
 * Tables of the change feed: `changes` has the keys of changed rows, and `publications` the order in
 * which imports became visible.
 *
 * The rows of an import have its batch, which is chosen while it is staged. They count as soon as the
 * batch has a row in `publications`, with a number that is greater than all earlier ones.
 */

import type { Engine } from '../engine/engine.ts';
import { command } from '../plan/sql.ts';
import { KIND_TYPE } from './table-definitions.ts';
import { localTable, replacingEngine, type Topology } from './topology.ts';

/** Batches and numbers are microseconds since 1970 if no greater one is stored. */
export const MICROSECONDS = "toUInt64(toUnixTimestamp64Micro(now64(6, 'UTC')))";

/** `intended` announces a number, `published` has it, and a feed from before `restarted` is incomplete. */
const PUBLICATION_STATES = ['intended', 'published', 'restarted'] as const;

export type PublicationState = (typeof PUBLICATION_STATES)[number];

/** Seconds after which readers ignore an announced number: the process that announced it has died. */
export const INTENT_TIMEOUT = 60;

/** A batch of one week lies in one partition, which is dropped as a whole. */
export const changesStorage = (table: string, topology: Topology): string =>
  `ENGINE = ${replacingEngine(topology, table, 'updated_at')}
PARTITION BY toYYYYMMDD(toMonday(toDateTime(intDiv(batch, 1000000), 'UTC')))
ORDER BY (batch, publisher_id, transaction_id, program_id)
SETTINGS index_granularity = 1024`;

/**
 * `changes` has a row for each program that a transaction was in before or is in afterwards.
 *
 * A row with `kept_from` says that retention removed all older transactions of the type.
 */
export function createChangeTables(topology: Topology): readonly string[] {
  const changes = localTable(topology, 'changes');
  const publications = localTable(topology, 'publications');
  const states = PUBLICATION_STATES.map((state, at) => `'${state}' = ${at + 1}`).join(', ');
  return [
    `CREATE TABLE IF NOT EXISTS ${changes} (
  batch UInt64,
  publisher_id UInt64,
  transaction_id UInt64,
  program_id UInt64,
  type ${KIND_TYPE},
  created_at DateTime('UTC'),
  updated_at DateTime('UTC'),
  kept_from UInt32
) ${changesStorage(changes, topology)}`,
    `CREATE TABLE IF NOT EXISTS ${publications} (
  number UInt64,
  state Enum8(${states}),
  batch UInt64,
  id String,
  at DateTime64(3, 'UTC')
) ENGINE = ${replacingEngine(topology, publications, 'at')} ORDER BY (number, state, id)
SETTINGS fsync_after_insert = 1`,
  ];
}

/**
 * Stores the first publication of a new database: positions in the feed of another database do not name
 * it. On a cluster, all replicas have the same.
 */
export const ensureOrigin = async (engine: Engine): Promise<void> =>
  await engine.execute(
    command(`INSERT INTO publications
SELECT ${MICROSECONDS}, 'restarted', 0, 'origin', now64(3, 'UTC')
WHERE (SELECT count() FROM publications) = 0`),
  );
