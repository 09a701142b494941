/** Formats what an erasure concerns as text. */

import type { ErasureGroup } from '../../erasure/erase-transactions.ts';
import type { ErasureCommand } from '../../erasure/selectors.ts';
import { textTable } from './text-table.ts';

type Mode = ErasureCommand['mode'];

/** Not said if nothing was found, because no file was checked then. */
const VERIFIED = ' No file of the database contains their values any more.';

/** The last line, by what an erasure does and whether it was done. */
const ENDS: Readonly<Record<Mode, Record<'preview' | 'done', (transactions: string) => string>>> = {
  empty: {
    preview: (transactions) => `The personal fields of ${transactions} would be emptied.`,
    done: (transactions) => `The personal fields of ${transactions} were emptied.`,
  },
  remove: {
    preview: (transactions) => `${transactions} would be removed, also from counts and sums.`,
    done: (transactions) => `Removed ${transactions}.`,
  },
};

export function erasureText(
  groups: readonly ErasureGroup[],
  mode: Mode,
  isPreview: boolean,
  isTerminal?: boolean,
): string {
  const all = groups.reduce((sum, { transactions }) => sum + transactions, 0);
  const end = ENDS[mode][isPreview ? 'preview' : 'done'](
    all === 1 ? '1 transaction' : `${all.toLocaleString('en')} transactions`,
  );
  if (all === 0) return end;
  const rows = groups.map(({ type, month, transactions }) => ({
    month,
    type,
    transactions: transactions.toLocaleString('en'),
  }));
  return `${textTable(rows, isTerminal)}\n${end}${isPreview ? '' : VERIFIED}`;
}
