/**
 * Tables of webhooks: what operators have defined, and how far each was delivered.
 *
 * There are two tables, because the service that delivers writes only the second one: its database user
 * need not have the right to define webhooks.
 */

import { localTable, replacingEngine, type Topology } from './topology.ts';

/**
 * `value` is JSON; it is empty in `webhooks` after a removal. In `webhook_progress`, the row without an id is the
 * lease for deliveries, and rows with the prefix `creator/` name the tokens that added webhooks.
 */
export const webhooksTableSql = (topology: Topology): readonly string[] =>
  ['webhooks', 'webhook_progress'].map((name) => {
    const table = localTable(topology, name);
    return `CREATE TABLE IF NOT EXISTS ${table} (
  id String,
  version UInt64,
  value String
) ENGINE = ${replacingEngine(topology, table, 'version')} ORDER BY id
SETTINGS fsync_after_insert = 1`;
  });
