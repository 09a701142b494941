/** A stretch of time in words. */

import type { Formats } from '../formats.ts';
import type { Period, Stretch } from '../periods.ts';

export function whenOf(days: Period, stretch: Stretch, formats: Formats): string {
  if (stretch === 'day') return formats.dayOfWeek(days.start);
  return stretch === 'week' ? formats.period(days.start, days.end) : formats.month(days.start);
}
