/** The former period that a period is compared with. */

import { Temporal } from 'temporal-polyfill';

/** The former periods, and what each is. */
export const COMPARISONS = {
  previous:
    'the same number of days just before, or of whole months if the period consists of whole months',
  month: 'the same dates a month before',
  year: 'the same dates a year before',
} as const;

export type Comparison = keyof typeof COMPARISONS;

export const COMPARISON_NAMES = Object.keys(COMPARISONS) as readonly Comparison[];

export interface Period {
  /** Calendar dates, both included. */
  readonly first: string;
  readonly last: string;
}

/**
 * What to add to a date of the former period to get the corresponding date of the present one. If the resulting
 * month has no such day, its last day is meant.
 */
export interface Shift {
  readonly unit: 'days' | 'months';
  readonly count: number;
  /** The first day of the present period. An earlier result becomes this day: 28 February becomes 30 March. */
  readonly first: string;
}

export interface FormerPeriod extends Period {
  readonly shift: Shift;
}

/** Finds the former period. A day that a former month lacks becomes its last day: 29 February becomes 28 February. */
export function formerPeriod({ first, last }: Period, comparison: Comparison): FormerPeriod {
  const start = Temporal.PlainDate.from(first);
  const end = Temporal.PlainDate.from(last);
  if (comparison !== 'previous') {
    const months = MONTHS_BACK[comparison];
    const shift: Shift = { unit: 'months', count: months, first };
    return { ...periodOf(start.subtract({ months }), end.subtract({ months })), shift };
  }
  const next = end.add({ days: 1 });
  const before = start.subtract({ days: 1 });
  if (start.day === 1 && next.day === 1) {
    const { months } = start.until(next, { largestUnit: 'months' });
    const shift: Shift = { unit: 'months', count: months, first };
    return { ...periodOf(start.subtract({ months }), before), shift };
  }
  const { days } = start.until(next);
  return {
    ...periodOf(start.subtract({ days }), before),
    shift: { unit: 'days', count: days, first },
  };
}

/** The number of months from the former period to the present one. */
const MONTHS_BACK = { month: 1, year: 12 } as const satisfies Record<
  Exclude<Comparison, 'previous'>,
  number
>;

const periodOf = (first: Temporal.PlainDate, last: Temporal.PlainDate): Period => ({
  first: first.toString(),
  last: last.toString(),
});
