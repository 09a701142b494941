/** Ranges of rows in the order of a table. */

import type { Order } from '../../contract/query/parameters.ts';
import { compareKeys, type RowKey } from './stored-row.ts';

/** The keys from `low`, included, to `high`, excluded. */
export interface KeyRange {
  readonly low: RowKey;
  readonly high: RowKey;
}

/** The indexes at which a range starts and ends in sorted keys. */
export function indexRangeOf(
  { low, high }: KeyRange,
  keys: readonly RowKey[],
): readonly [number, number] {
  const keyAt = (index: number) => keys[index] ?? high;
  return [countBefore(keys.length, keyAt, low), countBefore(keys.length, keyAt, high)];
}

/** A comparison that is negative if the first row comes first in an answer. */
export const comparatorOf = (order: Order): ((one: RowKey, other: RowKey) => number) =>
  order === 'asc' ? compareKeys : (one, other) => compareKeys(other, one);

/** The number of sorted keys before a key, by binary search. */
export function countBefore(length: number, keyAt: (index: number) => RowKey, key: RowKey): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareKeys(keyAt(middle), key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
