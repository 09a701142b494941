/** The longer period around a period, for zooming out of the chart. */

import { Temporal } from 'temporal-polyfill';
import { FIRST_DAY, LAST_DAY } from '../../../src/contract/query/calendar.ts';
import { daysIn, overlapOf, type Period } from './periods.ts';

/**
 * Adds half of the period's length before and after the period. Days that would lie after today are added before
 * the period instead. Undefined if the period cannot become longer.
 */
export function zoomedOut(period: Period, today: string): Period | undefined {
  const margin = Math.ceil(daysIn(period) / 2);
  const wantedEnd = Temporal.PlainDate.from(period.end).add({ days: margin });
  const lastDay = Temporal.PlainDate.from(period.end > today ? period.end : today);
  const end = Temporal.PlainDate.compare(wantedEnd, lastDay) > 0 ? lastDay : wantedEnd;
  const days = margin + end.until(wantedEnd).days;
  const start = Temporal.PlainDate.from(period.start).subtract({ days });
  const found = overlapOf(
    { start: String(start), end: String(end) },
    { start: FIRST_DAY, end: LAST_DAY },
  );
  return daysIn(found) > daysIn(period) ? found : undefined;
}
