/** The rows of an answer: sorted lists of rows, merged by date and transaction. */

import type { Order } from '../../contract/query/parameters.ts';
import type { StoredRow } from './stored-row.ts';
import type { WorkLimit } from './work-limit.ts';

/** The rows of months, one month after the other. Each month has a list of rows for each website. */
export function* rowsOfMonths(
  months: Iterable<readonly Iterable<StoredRow>[]>,
  order: Order,
  work: WorkLimit,
): Generator<StoredRow> {
  for (const lists of months) {
    for (const row of mergedRows(lists, order)) {
      yield row;
      work.found();
    }
  }
}

/** The rows of several websites in the order of an answer. */
function mergedRows(lists: readonly Iterable<StoredRow>[], order: Order): Iterable<StoredRow> {
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
