/** Picks random items in proportion to their weights. */

import type { Random } from './random.ts';

export type Picker<Item> = (random: Random) => Item;

/** Items of weight 0 are never picked; throws if all weights are 0. */
export function pickerOf<Item>(
  items: readonly Item[],
  weightOf: (item: Item) => number,
): Picker<Item> {
  const drawn = items.filter((item) => weightOf(item) > 0);
  const last = drawn.at(-1);
  if (last === undefined) throw new RangeError('All weights are 0.');
  const bounds = new Float64Array(drawn.length);
  let total = 0;
  for (const [at, item] of drawn.entries()) {
    total += weightOf(item);
    bounds[at] = total;
  }
  return (random) => drawn[indexOfBound(random.unit() * total, bounds)] ?? last;
}

/** Binary search for the first bound above the value. */
function indexOfBound(value: number, bounds: Float64Array): number {
  let low = 0;
  let high = bounds.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bounds[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
