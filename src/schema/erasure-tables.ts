/** Tables of erasures: the state of each, and keyed hashes of what was erased, for comparison with imported rows. */

import { localTable, replacingEngine, type Topology } from './topology.ts';

/** What an erasure does with the transactions of a person. */
export const ERASURE_MODES = ['empty', 'remove'] as const;

export type ErasureMode = (typeof ERASURE_MODES)[number];

/**
 * `erased` has keyed hashes of the erased values and transactions, never the values themselves.
 *
 * A hash concerns only rows that were created before the erasure.
 */
export function erasureTablesSql(topology: Topology): readonly string[] {
  const erasures = localTable(topology, 'erasures');
  const erased = localTable(topology, 'erased');
  const modes = ERASURE_MODES.map((mode, at) => `'${mode}' = ${at + 1}`).join(', ');
  return [
    `CREATE TABLE IF NOT EXISTS ${erasures} (
  id String,
  mode Enum8(${modes}),
  state Enum8('erasing' = 1, 'done' = 2),
  at DateTime64(3, 'UTC')
) ENGINE = ${replacingEngine(topology, erasures, 'at')} ORDER BY id
SETTINGS fsync_after_insert = 1`,
    `CREATE TABLE IF NOT EXISTS ${erased} (
  hash FixedString(16),
  mode Enum8(${modes}),
  before DateTime('UTC')
) ENGINE = ${replacingEngine(topology, erased, 'before')} ORDER BY (hash, mode)
SETTINGS fsync_after_insert = 1`,
  ];
}
