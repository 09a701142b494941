/** The view that fills the affiliates' table from the administrators' table, with what affiliates may see. */

import type { AddressVisibility } from '../contract/record/address-visibility.ts';
import { shownAddress } from './shown-address.ts';
import { storedFields } from './table-definitions.ts';

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
