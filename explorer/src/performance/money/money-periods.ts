/** Periods of the cards about pending and paid amounts, which do not depend on the chosen period. */

import { Temporal } from 'temporal-polyfill';
import { AGES } from '../../../../src/contract/query/groupings.ts';
import type { Period } from '../../query/periods.ts';
import type { AgedAmount } from './pending.ts';

/** Months that are read, including the present one. */
const MONTHS = 24;
/** Months that can be chosen. */
const CHOICES = 12;

/** The months that are read, up to today. */
export function recentMonths(today: string): Period {
  const first = Temporal.PlainDate.from(today).with({ day: 1 });
  return { start: String(first.subtract({ months: MONTHS - 1 })), end: today };
}

/** First days of months, the present one first. */
export const firstDaysOfMonths = (today: string): readonly string[] =>
  Array.from({ length: CHOICES }, (_, at) =>
    String(Temporal.PlainDate.from(today).with({ day: 1 }).subtract({ months: at })),
  );

export const periodBefore = (day: string, today: string): Period => ({
  start: recentMonths(today).start,
  end: String(Temporal.PlainDate.from(day).subtract({ days: 1 })),
});

/** The days on which transactions of an age were created. */
export function creationPeriodOfAge(age: AgedAmount['age'], today: string): Period {
  const at = AGES.findIndex(({ name }) => name === age);
  const limitOf = (place: number): number | undefined => {
    const limit = AGES[place];
    return limit !== undefined && 'maxDays' in limit ? limit.maxDays : undefined;
  };
  const dayAgo = (days: number) => String(Temporal.PlainDate.from(today).subtract({ days }));
  const youngest = limitOf(at - 1);
  const oldest = limitOf(at);
  return {
    start: oldest === undefined ? recentMonths(today).start : dayAgo(oldest),
    end: youngest === undefined ? today : dayAgo(youngest + 1),
  };
}
