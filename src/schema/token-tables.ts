/** The tables of access tokens and sign-in links. */

import { localTable, replacingEngine, type Topology } from './topology.ts';

export function tokensTableSql(topology: Topology): string {
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
export const addTokenManagementSql = (topology: Topology): readonly string[] => [
  `ALTER TABLE ${localTable(topology, 'tokens')} ADD COLUMN IF NOT EXISTS may_manage_tokens Bool DEFAULT false`,
];

/** Adds the creators of tokens and links. Those of existing tokens and links are in the audit log only. */
export const addTokenCreatorsSql = (topology: Topology): readonly string[] =>
  ['tokens', 'sign_in_links'].map(
    (table) =>
      `ALTER TABLE ${localTable(topology, table)} ADD COLUMN IF NOT EXISTS created_by Nullable(String)`,
  );

/**
 * Sign-in links with the rights of the token that each will give, and the claims on them.
 *
 * Claims are rows of their own, so that no process can overwrite the claim of another. A claim is valid only
 * if it is the only one on its link. Links and claims are deleted long after the link has expired.
 */
export function signInLinksTableSql(topology: Topology): readonly string[] {
  const links = localTable(topology, 'sign_in_links');
  const claims = localTable(topology, 'sign_in_claims');
  return [
    `CREATE TABLE IF NOT EXISTS ${links} (
  hash String,
  id String,
  role String,
  publisher_ids Array(UInt64),
  program_ids Array(UInt64),
  locale Nullable(String),
  name Nullable(String),
  may_manage_tokens Bool,
  created_at DateTime('UTC'),
  expires_at Nullable(DateTime('UTC')),
  link_expires_at DateTime('UTC')
) ENGINE = ${replacingEngine(topology, links, 'created_at')} ORDER BY hash
TTL link_expires_at + INTERVAL 1 DAY
SETTINGS fsync_after_insert = 1`,
    `CREATE TABLE IF NOT EXISTS ${claims} (
  link String,
  claim String,
  at DateTime('UTC')
) ENGINE = ${replacingEngine(topology, claims, 'at')} ORDER BY (link, claim)
TTL at + INTERVAL 2 DAY
SETTINGS fsync_after_insert = 1`,
  ];
}
