/** Formats what an erasure concerns as text. */

import type { ErasureGroup } from '../../erasure/erase-transactions.ts';
import type { ErasureCommand } from '../../erasure/selectors.ts';
import { textTable } from './text-table.ts';

/** What was done to the transactions: nothing in a preview. */
type Outcome = 'preview' | ErasureCommand['mode'];

const ENDS: { readonly [outcome in Outcome]: (transactions: string) => string } = {
  preview: (transactions) => `${transactions} would be erased.`,
  empty: (transactions) =>
    `The personal fields of ${transactions} were emptied. No file of the database contains their values any more.`,
  remove: (transactions) =>
    `Removed ${transactions}. No file of the database contains their values any more.`,
};

export function erasureText(groups: readonly ErasureGroup[], outcome: Outcome): string {
  const all = groups.reduce((sum, { transactions }) => sum + transactions, 0);
  const end = ENDS[outcome](
    all === 1 ? '1 transaction' : `${all.toLocaleString('en')} transactions`,
  );
  if (all === 0) return end;
  const rows = groups.map(({ type, month, transactions }) => ({
    month,
    type,
    transactions: transactions.toLocaleString('en'),
  }));
  return `${textTable(rows)}\n${end}`;
}
