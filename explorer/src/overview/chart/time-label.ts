/** A stretch of time in words. */

import type { Stretch } from '../../query/periods.ts';
import type { Formats } from '../../ui/formats.ts';
import type { Point } from './points.ts';

type When = Pick<Point, 'days' | 'isWhole'>;

export function timeLabel({ days, isWhole }: When, stretch: Stretch, formats: Formats): string {
  if (stretch === 'day') return formats.dayOfWeek(days.start);
  return stretch === 'month' && isWhole
    ? formats.month(days.start)
    : formats.period(days.start, days.end);
}

/** The same where there is little room. */
export function shortTimeLabel(
  { days, isWhole }: When,
  stretch: Stretch,
  formats: Formats,
): string {
  return stretch === 'month' && isWhole
    ? formats.shortMonth(days.start)
    : formats.shortPeriod(days.start, days.end);
}
