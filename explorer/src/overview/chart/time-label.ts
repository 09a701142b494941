/** Labels of time buckets. */

import type { Granularity } from '../../query/periods.ts';
import type { Formats } from '../../ui/formats.ts';
import type { Point } from './points.ts';

type Bucket = Pick<Point, 'days' | 'isWhole'>;

export function timeLabel(
  { days, isWhole }: Bucket,
  granularity: Granularity,
  formats: Formats,
): string {
  if (granularity === 'day') return formats.dayOfWeek(days.start);
  return granularity === 'month' && isWhole
    ? formats.month(days.start)
    : formats.period(days.start, days.end);
}

/** Short label for narrow screens. */
export function shortTimeLabel(
  { days, isWhole }: Bucket,
  granularity: Granularity,
  formats: Formats,
): string {
  return granularity === 'month' && isWhole
    ? formats.shortMonth(days.start)
    : formats.shortPeriod(days.start, days.end);
}
