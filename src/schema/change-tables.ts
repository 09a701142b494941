/**
 * Tables of the change feed: `changes` has the keys of changed rows, and `publications` the order in
 * which imports became visible.
 *
 * Each row of `changes` has the number of its batch, which is chosen while the import is staged. Readers
 * see the rows as soon as `publications` has the batch, with a number that is greater than all earlier ones.
 */

import type { Engine } from '../engine/engine.ts';
import { plainStatement } from '../plan/sql.ts';
import { KIND_COLUMN_TYPE } from './table-definitions.ts';
import { localTable, replacingEngine, type Topology } from './topology.ts';

/** The server's time in microseconds since 1970. It numbers a batch; a publication's number is at least as great. */
export const NOW_MICROSECONDS_SQL = "toUInt64(toUnixTimestamp64Micro(now64(6, 'UTC')))";

/**
 * `intended`: a process will soon publish a number greater than this one. `published`: the batch is visible.
 * `restarted`: changes before the number are missing, so readers begin again with a list.
 */
const PUBLICATION_STATES = ['intended', 'published', 'restarted'] as const;

export type PublicationState = (typeof PUBLICATION_STATES)[number];

/** Seconds after which readers ignore an `intended` number, because its process has probably died. */
export const INTENT_TIMEOUT = 60;

/** The batches of one week are in one partition, which is dropped as a whole. */
export const changesStorage = (table: string, topology: Topology): string =>
  `ENGINE = ${replacingEngine(topology, table, 'updated_at')}
PARTITION BY toYYYYMMDD(toMonday(toDateTime(intDiv(batch, 1000000), 'UTC')))
ORDER BY (batch, publisher_id, transaction_id, program_id)
SETTINGS index_granularity = 1024`;

/**
 * `changes` has a row for each program that a changed transaction belonged to before, or belongs to now.
 *
 * A row with `kept_from` says that retention removed all older transactions of the type.
 */
export function changeTablesSql(topology: Topology): readonly string[] {
  const changes = localTable(topology, 'changes');
  const publications = localTable(topology, 'publications');
  const states = PUBLICATION_STATES.map((state, at) => `'${state}' = ${at + 1}`).join(', ');
  return [
    `CREATE TABLE IF NOT EXISTS ${changes} (
  batch UInt64,
  publisher_id UInt64,
  transaction_id UInt64,
  program_id UInt64,
  type ${KIND_COLUMN_TYPE},
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
 * Stores the first publication of a new database. Its number is a part of all positions, so that positions
 * in the feed of another database are refused. On a cluster, all replicas have the same number.
 */
export const ensureFirstPublication = async (engine: Engine): Promise<void> =>
  await engine.execute(
    plainStatement(`INSERT INTO publications
SELECT ${NOW_MICROSECONDS_SQL}, 'restarted', 0, 'origin', now64(3, 'UTC')
WHERE (SELECT count() FROM publications) = 0`),
  );
