/** Ranges of neighbouring bars that are selected for zooming in. */

import type { Bucket } from '../../../query/granularity.ts';
import type { Period } from '../../../query/periods.ts';

export interface ZoomRange {
  /** The bar at which the selection began. */
  readonly from: number;
  /** The bar at which the selection ends, before or after `from`. */
  readonly to: number;
}

/** The days of a range, whichever end comes first. */
export function daysOfRange(
  points: readonly Pick<Bucket, 'days'>[],
  { from, to }: ZoomRange,
): Period | undefined {
  const first = points[Math.min(from, to)];
  const last = points[Math.max(from, to)];
  return first && last && { start: first.days.start, end: last.days.end };
}

interface Extent {
  readonly left: number;
  readonly width: number;
}

/** The bar at a horizontal position. Beyond either end, it is the first or the last one. */
export function barAt(x: number, { left, width }: Extent, count: number): number {
  const place = Math.floor(((x - left) / width) * count);
  return Math.min(count - 1, Math.max(0, place));
}
