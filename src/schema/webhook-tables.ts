/**
 * Tables of webhooks: what operators have defined, and how far each was delivered.
 *
 * There are two tables, because the service that delivers writes only the second one: its database user
 * need not have the right to define webhooks.
 */

import { localTable, replacingEngine, type Topology } from './topology.ts';

/**
 * `value` is JSON. After a removal, it is empty in `webhooks`, with a version greater than all others. In
 * `webhook_progress`, the row without an id is the lease for deliveries. If an id begins with `creator/`, `value` is the
 * id of the token that added the webhook. If it begins with `announced/`, `value` is the id of the revoked token whose
 * stop of the webhook was announced.
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
