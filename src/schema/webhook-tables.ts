/**
 * Tables of webhooks: what operators have defined, and how far each was delivered.
 *
 * They are two, because only the second one is written by the service that delivers: a user of a server
 * who may serve need not have the right to define webhooks.
 */

import { localTable, replacingEngine, type Topology } from './topology.ts';

/** `value` is JSON; an empty one is that of a removed webhook. The progress without id is a lease. */
export const createWebhooks = (topology: Topology): readonly string[] =>
  ['webhooks', 'webhook_progress'].map((name) => {
    const table = localTable(topology, name);
    return `CREATE TABLE IF NOT EXISTS ${table} (
  id String,
  version UInt64,
  value String
) ENGINE = ${replacingEngine(topology, table, 'version')} ORDER BY id
SETTINGS fsync_after_insert = 1`;
  });
