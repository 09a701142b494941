/** Divides the list into segments of days, with the counts of a summary by day, to find the day of any row number. */

import type { Order } from '../../../src/contract/query/parameters.ts';
import type { ResultRow } from '../query/api-query.ts';

/** Consecutive days that are read together. */
export interface Segment {
  readonly start: string;
  readonly end: string;
  /** The number of rows before the segment. */
  readonly first: number;
  readonly count: number;
}

/** Consecutive days form one segment while it has at most this number of rows. */
const MAX_JOINED_ROWS = 1000;

export function segmentsOf(groups: readonly ResultRow[], order: Order): readonly Segment[] {
  const days = groups
    .map(({ day, count }) => ({ day: String(day), count: Number(count) }))
    .sort((one, other) => (one.day < other.day ? -1 : 1));
  if (order === 'desc') days.reverse();
  const segments: Segment[] = [];
  for (const { day, count } of days) {
    const last = segments.at(-1);
    if (last === undefined || last.count + count > MAX_JOINED_ROWS) {
      const first = last === undefined ? 0 : last.first + last.count;
      segments.push({ start: day, end: day, first, count });
    } else {
      const [start, end] = order === 'desc' ? [day, last.end] : [last.start, day];
      segments[segments.length - 1] = { ...last, start, end, count: last.count + count };
    }
  }
  return segments;
}

/** All days as one segment, for a list that is not sorted by date. */
export const wholeSegment = (groups: readonly ResultRow[]): readonly Segment[] => {
  const count = groups.reduce((sum, group) => sum + Number(group.count), 0);
  return count === 0 ? [] : [{ start: '', end: '', first: 0, count }];
};

export const rowCountOf = (segments: readonly Segment[]): number => {
  const last = segments.at(-1);
  return last === undefined ? 0 : last.first + last.count;
};

/** The index of the segment with a row, by binary search. Rows beyond the end get the last one. */
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
