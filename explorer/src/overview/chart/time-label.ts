/** Labels of time buckets. */

import type { Bucket, Granularity } from '../../query/granularity.ts';
import type { LocaleFormats } from '../../ui/formats.ts';

export function timeLabel(
  { name, days, isWhole }: Bucket,
  granularity: Granularity,
  formats: LocaleFormats,
): string {
  switch (granularity) {
    case 'hour':
      return `${formats.dayOfWeek(days.start)}, ${formats.time(name)}`;
    case 'day':
      return formats.dayOfWeek(days.start);
    case 'week':
      return formats.period(days.start, days.end);
    case 'month':
      return isWhole ? formats.month(days.start) : formats.period(days.start, days.end);
  }
}

/** Short label for narrow screens. */
export function shortTimeLabel(
  { name, days, isWhole }: Bucket,
  granularity: Granularity,
  formats: LocaleFormats,
): string {
  if (granularity === 'hour') return `${formats.shortDay(days.start)}, ${formats.time(name)}`;
  return granularity === 'month' && isWhole
    ? formats.shortMonth(days.start)
    : formats.shortPeriod(days.start, days.end);
}

/** Label of the time axis. The first hour of a day is labelled with the day. */
export function tickLabel(
  { name, days }: Bucket,
  granularity: Granularity,
  formats: LocaleFormats,
) {
  if (granularity === 'month') return formats.shortMonth(days.start);
  if (granularity === 'hour' && !name.endsWith(' 00:00')) return formats.time(name);
  return formats.shortDay(days.start);
}
