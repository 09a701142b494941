/** Merges sorted lists of rows by date and transaction. */

import type { Order } from '../../contract/query/parameters.ts';
import type { StoredRow } from './stored-row.ts';

/** The rows of several websites in the order of an answer. */
export function mergedRows(
  lists: readonly Iterable<StoredRow>[],
  order: Order,
): Iterable<StoredRow> {
  const [only] = lists;
  return only !== undefined && lists.length === 1 ? only : merged(lists, order);
}

function* merged(lists: readonly Iterable<StoredRow>[], order: Order): Generator<StoredRow> {
  const heads = lists.flatMap((list) => {
    const rows = list[Symbol.iterator]();
    const { done, value } = rows.next();
    return done ? [] : [{ rows, row: value }];
  });
  while (heads.length > 0) {
    const next = heads.reduce((one, other) => (isBefore(other.row, one.row, order) ? other : one));
    yield next.row;
    const { done, value } = next.rows.next();
    if (done) heads.splice(heads.indexOf(next), 1);
    else next.row = value;
  }
}

function isBefore(one: StoredRow, other: StoredRow, order: Order): boolean {
  const difference = one.at - other.at || one.transactionId - other.transactionId;
  return order === 'asc' ? difference < 0 : difference > 0;
}
