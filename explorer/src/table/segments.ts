/** Where each row of a list is: the days it is read by, in their order, from a summary by day. */

import type { Order } from '../../../src/contract/query/parameters.ts';
import type { Values } from '../query/question.ts';

/** Days one after the other that are read together. */
export interface Segment {
  readonly start: string;
  readonly end: string;
  /** How many rows there are before it. */
  readonly first: number;
  readonly count: number;
}

/** Few days with many rows each, or many with few: what one request should not go far beyond. */
const ENOUGH = 1000;

export function segmentsOf(groups: readonly Values[], order: Order): readonly Segment[] {
  const days = groups
    .map(({ day, count }) => ({ day: String(day), count: Number(count) }))
    .sort((one, other) => (one.day < other.day ? -1 : 1));
  if (order === 'desc') days.reverse();
  const segments: Segment[] = [];
  for (const { day, count } of days) {
    const last = segments.at(-1);
    if (last === undefined || last.count + count > ENOUGH) {
      const first = last === undefined ? 0 : last.first + last.count;
      segments.push({ start: day, end: day, first, count });
    } else {
      const [start, end] = order === 'desc' ? [day, last.end] : [last.start, day];
      segments[segments.length - 1] = { ...last, start, end, count: last.count + count };
    }
  }
  return segments;
}

export const countIn = (segments: readonly Segment[]): number => {
  const last = segments.at(-1);
  return last === undefined ? 0 : last.first + last.count;
};

/** The place of the segment that holds a row; the last one's for rows beyond. */
export function segmentAt(segments: readonly Segment[], row: number): number {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((segments[middle]?.first ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
