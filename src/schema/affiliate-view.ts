/** The view that fills the affiliates' table from the administrators' table, with what affiliates may see. */

import type { AddressVisibility } from '../contract/record/address-visibility.ts';
import type { Engine } from '../engine/engine.ts';
import { TABLE_OF } from '../plan/report-table.ts';
import { plainStatement } from '../plan/sql.ts';
import { awaitFullReplication } from './cluster-nodes.ts';
import { shownAddress } from './shown-address.ts';
import { storedFields } from './table-definitions.ts';
import { localTable, type Topology } from './topology.ts';

/** The name of the view. */
export const AFFILIATE_VIEW = 'affiliate_transactions_feed';

/**
 * The columns of the affiliates' table, and the query that selects them from the administrators' table.
 * What affiliates may not see of an IP address never reaches their table.
 */
export function affiliateColumns(
  from: string,
  { affiliate }: AddressVisibility,
): { readonly columns: string; readonly select: string } {
  const fields = storedFields('affiliate');
  const expressions = fields.map(({ name, field }) => {
    const value = field.type === 'address' ? shownAddress(field.name, affiliate) : field.name;
    return name === value ? name : `${value} AS ${name}`;
  });
  return {
    columns: ['type', ...fields.map(({ name }) => name)].join(', '),
    select: `SELECT ${['type', ...expressions].join(', ')} FROM ${from}`,
  };
}

/** Creates a view that fills an affiliates' table from an administrators' table, with what affiliates may see. */
export const affiliateViewSql = (
  view: string,
  from: string,
  to: string,
  addresses: AddressVisibility,
): string =>
  `CREATE MATERIALIZED VIEW IF NOT EXISTS ${view} TO ${to} AS
${affiliateColumns(from, addresses).select}`;

/** The table that the view reads, and the one that it fills. */
const tablesOf = (topology: Topology) => ({
  from: localTable(topology, TABLE_OF.admin),
  to: localTable(topology, TABLE_OF.affiliate),
});

/** Creates the view of a server again, with the present columns. */
export async function recreateAffiliateView(
  server: Engine,
  topology: Topology,
  addresses: AddressVisibility,
): Promise<void> {
  const { from, to } = tablesOf(topology);
  const texts = [
    `DROP VIEW IF EXISTS ${AFFILIATE_VIEW} SYNC`,
    affiliateViewSql(AFFILIATE_VIEW, from, to, addresses),
  ];
  for (const text of texts) await server.execute(plainStatement(text));
}

/** Fills the affiliates' table of a server with all rows of the administrators' table. */
export async function refillAffiliates(
  server: Engine,
  topology: Topology,
  addresses: AddressVisibility,
): Promise<void> {
  const { from, to } = tablesOf(topology);
  // A replica that is behind would add earlier versions, which newer ones may never replace.
  await awaitFullReplication({ engine: server, servers: [server], topology }, [from]);
  // Of versions with the same date, the last insert counts. Without FINAL, that could be a superseded one.
  const { columns, select } = affiliateColumns(`${from} FINAL`, addresses);
  const text = `INSERT INTO ${to} (${columns}) ${select}
SETTINGS do_not_merge_across_partitions_select_final = 1, max_partitions_per_insert_block = 0`;
  await server.execute(plainStatement(text));
}
