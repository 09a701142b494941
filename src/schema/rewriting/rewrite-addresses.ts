/**
 * Renders stored records again after a change of the setting for IP addresses, on one server.
 *
 * Each month of a table is replaced atomically, so that readers always see all its rows, either old or new.
 * The insert numbers of its parts grow, so that entity tags change. The rewrite can be repeated after a crash.
 */

import * as v from 'valibot';
import type { AddressVisibility } from '../../contract/record/address-visibility.ts';
import type { Role } from '../../contract/record/records.ts';
import type { Engine } from '../../engine/engine.ts';
import { TABLE_OF } from '../../plan/report-table.ts';
import { select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import { AFFILIATE_VIEW, affiliateViewSql } from '../affiliate-view.ts';
import { columnDefinition, columnsOf } from '../table-definitions.ts';
import { distributedTableSql, localTable, SHARDED_BY, type Topology } from '../topology.ts';
import { TRANSACTION_TABLES, type TransactionTable } from '../transaction-tables.ts';
import { createDraft, dropDraftsLike, fillDraft, publishDraft } from './month-draft.ts';

/** The beginning of the names of drafts. A process that died may have left some. */
const PREFIX = 'addresses_draft';

/** Drops the drafts that earlier changes left. */
export const dropAddressDrafts = async (server: Engine): Promise<void> =>
  await dropDraftsLike(server, PREFIX);

export interface AddressChange {
  readonly timeZone: string;
  readonly topology: Topology;
  readonly addresses: AddressVisibility;
  /** A part of the names of the temporary tables. */
  readonly id: string;
  /** Throws if another process may replace the same months, because the lease has ended. */
  readonly requireLease: () => Promise<void>;
}

/** Renders the records of a role again after a change of IP_ADDRESSES. */
export async function rewriteShownAddresses(
  server: Engine,
  role: Role,
  change: AddressChange,
): Promise<void> {
  for (const text of definitions(role, change)) await server.execute(plainStatement(text));
  for (const like of tablesOf(role)) await rewriteMonths(server, like, change);
}

/** The tables with records of a role. The first is rendered, and the others copy it. */
const tablesOf = (role: Role): readonly TransactionTable[] =>
  TRANSACTION_TABLES.filter(
    ({ table }) => (table === TABLE_OF.affiliate) === (role === 'affiliate'),
  );

function definitions(
  role: Role,
  { timeZone, topology, addresses }: AddressChange,
): readonly string[] {
  const from = localTable(topology, TABLE_OF.admin);
  if (role === 'affiliate') {
    const to = localTable(topology, TABLE_OF.affiliate);
    return [
      `DROP VIEW IF EXISTS ${AFFILIATE_VIEW} SYNC`,
      affiliateViewSql(AFFILIATE_VIEW, from, to, addresses),
    ];
  }
  const computed = columnsOf('admin', timeZone, addresses).filter(
    ({ alias, materialized }) => alias !== undefined || materialized !== undefined,
  );
  return [
    ...computed.map((column) => `ALTER TABLE ${from} MODIFY COLUMN ${columnDefinition(column)}`),
    // The Distributed table has a copy of the definitions.
    ...distributedTableSql(topology, TABLE_OF.admin, SHARDED_BY.transactions),
  ];
}

async function rewriteMonths(
  server: Engine,
  like: TransactionTable,
  { topology, addresses, id, requireLease }: AddressChange,
): Promise<void> {
  const name = `${PREFIX}_${id}`;
  const draft = { draft: name, like, topology, addresses };
  await createDraft(server, draft);
  try {
    for (const month of await monthsOf(server, localTable(topology, like.table))) {
      await fillDraft(server, draft, month);
      await requireLease();
      await publishDraft(server, draft, month);
      await server.execute(plainStatement(`TRUNCATE TABLE ${name}`));
    }
  } finally {
    // The draft has personal data. If the lease has ended, another process may have dropped it.
    await server.execute(plainStatement(`DROP TABLE IF EXISTS ${name} SYNC`));
  }
}

async function monthsOf(server: Engine, table: string): Promise<readonly string[]> {
  const months = plainStatement(`SELECT DISTINCT partition_id AS month FROM system.parts
WHERE active AND database = currentDatabase() AND table = '${table}' ORDER BY month`);
  const rows = await server.rows(select(v.object({ month: v.string() }), months));
  return rows.map(({ month }) => month);
}
