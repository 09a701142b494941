/** The table of access tokens. */

import { localTable, replacingEngine, type Topology } from './topology.ts';

export function createTokens(topology: Topology): string {
  const table = localTable(topology, 'tokens');
  return `CREATE TABLE IF NOT EXISTS ${table} (
  id String,
  hash String,
  role String,
  publisher_ids Array(UInt64),
  program_ids Array(UInt64),
  locale Nullable(String),
  name Nullable(String),
  created_at DateTime('UTC'),
  expires_at Nullable(DateTime('UTC')),
  revoked_at Nullable(DateTime('UTC')),
  revision UInt8
) ENGINE = ${replacingEngine(topology, table, 'revision')} ORDER BY hash
SETTINGS fsync_after_insert = 1`;
}

/** Tokens of an existing database may not manage tokens. */
export const addTokenManagement = (topology: Topology): readonly string[] => [
  `ALTER TABLE ${localTable(topology, 'tokens')} ADD COLUMN IF NOT EXISTS may_manage_tokens Bool DEFAULT false`,
];
