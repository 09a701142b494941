/** The table of migrations: the statements of each version of the tables. */

import type { AddressVisibility } from '../contract/record/address-visibility.ts';
import { ROLES } from '../contract/record/records.ts';
import { TABLE_OF } from '../plan/report-table.ts';
import { AFFILIATE_VIEW, affiliateViewSql } from './affiliate-view.ts';
import { changeTablesSql } from './change-tables.ts';
import { directoryTableSql, partnershipsTableSql } from './directory-tables.ts';
import { erasureTablesSql } from './erasure-tables.ts';
import { addDateIndexesSql, setRecordCodecSql, transactionTableSql } from './table-definitions.ts';
import {
  addTokenCreatorsSql,
  addTokenManagementSql,
  signInLinksTableSql,
  tokensTableSql,
} from './token-tables.ts';
import { localTable, replacingEngine, type Topology } from './topology.ts';
import { webhooksTableSql } from './webhook-tables.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: (
    timeZone: string,
    topology: Topology,
    addresses: AddressVisibility,
  ) => readonly string[];
  /** Slow statements that adapt existing tables. New tables skip them: they have the present form already. */
  readonly changes?: (topology: Topology) => readonly string[];
}

/** The name of the migration that creates a database. */
export const CREATION = 'transactions, tokens and imports';

/** In the order in which they are applied. */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: CREATION,
    statements: (timeZone, topology, addresses) => [
      ...ROLES.map((role) =>
        transactionTableSql(
          role,
          localTable(topology, TABLE_OF[role]),
          timeZone,
          addresses,
          topology,
        ),
      ),
      affiliateViewSql(
        AFFILIATE_VIEW,
        localTable(topology, 'transactions'),
        localTable(topology, 'affiliate_transactions'),
        addresses,
      ),
      tokensTableSql(topology),
      `CREATE TABLE IF NOT EXISTS ${localTable(topology, 'imports')} (
  id String,
  state Enum8('publishing' = 1, 'done' = 2),
  at DateTime64(3, 'UTC')
) ENGINE = ${replacingEngine(topology, localTable(topology, 'imports'), 'at')} ORDER BY id
SETTINGS fsync_after_insert = 1`,
    ],
  },
  // Projections follow the table of fields without migrations (see projections.ts).
  { version: 2, name: 'records by website and by program', statements: () => [] },
  {
    version: 3,
    name: 'keys, and indexes of dates',
    statements: (_, topology) => [
      `CREATE TABLE IF NOT EXISTS ${localTable(topology, 'keys')} (
  name String,
  value String,
  precedence UInt64
) ENGINE = ${replacingEngine(topology, localTable(topology, 'keys'), 'precedence')} ORDER BY name
SETTINGS fsync_after_insert = 1`,
    ],
    changes: (topology) => [
      ...addDateIndexesSql(localTable(topology, 'transactions')),
      ...addDateIndexesSql(localTable(topology, 'affiliate_transactions')),
    ],
  },
  {
    version: 4,
    name: 'faster codec of records',
    statements: () => [],
    changes: (topology) => [
      setRecordCodecSql(localTable(topology, 'transactions')),
      setRecordCodecSql(localTable(topology, 'affiliate_transactions')),
    ],
  },
  // The columns follow the table of fields (see schema-sync.ts).
  { version: 5, name: 'what each role sees of IP addresses', statements: () => [] },
  {
    version: 6,
    name: 'audit log',
    statements: (_, topology) => [
      `CREATE TABLE IF NOT EXISTS ${localTable(topology, 'audit')} (
  at DateTime64(3, 'UTC'),
  id String,
  event LowCardinality(String),
  principal String,
  line String CODEC(ZSTD(3))
) ENGINE = ${replacingEngine(topology, localTable(topology, 'audit'), 'at')}
PARTITION BY toYYYYMM(at)
ORDER BY (at, id)
SETTINGS fsync_after_insert = 1`,
    ],
  },
  { version: 7, name: 'erasures of persons', statements: (_, on) => erasureTablesSql(on) },
  { version: 8, name: 'change feed', statements: (_, on) => changeTablesSql(on) },
  { version: 9, name: 'directory of names', statements: (_, on) => [directoryTableSql(on)] },
  {
    version: 10,
    name: 'partnerships of publishers and programs',
    statements: (_, on) => partnershipsTableSql(on),
  },
  {
    version: 11,
    name: 'tokens that manage tokens',
    statements: (_, on) => addTokenManagementSql(on),
  },
  { version: 12, name: 'webhooks', statements: (_, on) => webhooksTableSql(on) },
  { version: 13, name: 'sign-in links', statements: (_, on) => signInLinksTableSql(on) },
  { version: 14, name: 'creators of tokens', statements: (_, on) => addTokenCreatorsSql(on) },
];
