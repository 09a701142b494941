/** Choice of the former period, and the cases in which nothing is compared. */

import {
  type Comparison,
  formerPeriod,
  type Shift,
} from '../../../src/contract/query/compared-period.ts';
import { TIME_UNITS } from '../../../src/contract/query/groupings.ts';
import type { DateField } from '../../../src/contract/query/parameters.ts';
import { type Filters, fieldOf } from './filters.ts';
import { daysIn, type Period, type Preset } from './periods.ts';

export const COMPARISON_CHOICES = ['previous', 'year', 'none'] as const;

export type ComparisonChoice = (typeof COMPARISON_CHOICES)[number];

export interface ResolvedComparison {
  /** The parameter `compare` of the API. */
  readonly compare: Comparison;
  readonly former: Period;
  /** The shift from a day of the former period to the corresponding day of the present period. */
  readonly shift: Shift;
  /** Whether both periods are cut at the present hour, because the period is short and ends today. */
  readonly isCutAtHour: boolean;
}

/** The present month and year are not over, so they are compared with the same dates of the former month or year. */
const SAME_DATES: { readonly [Name in Preset]?: Comparison } = {
  'this-month': 'month',
  'this-year': 'year',
};

interface ComparedPeriod {
  readonly compare: ComparisonChoice;
  readonly period: Preset | Period;
  readonly days: Period;
  readonly today: string;
}

/**
 * The comparison with the former period, which the API computes in the same way. Undefined if no comparison was
 * chosen, or if the period ends after today.
 */
export function resolveComparison({ compare: choice, period, days, today }: ComparedPeriod) {
  if (choice === 'none' || days.end > today) return undefined;
  const isNamed = choice === 'previous' && typeof period === 'string';
  const compare = (isNamed ? SAME_DATES[period] : undefined) ?? choice;
  const isCutAtHour = days.end === today && daysIn(days) <= TIME_UNITS.hour.maxDays;
  const { first, last, shift } = formerPeriod({ first: days.start, last: days.end }, compare);
  return {
    compare,
    former: { start: first, end: last },
    shift,
    isCutAtHour,
  } satisfies ResolvedComparison;
}

interface DatedFilters {
  readonly filters: Filters;
  readonly dateField: DateField;
}

/**
 * The part of a query that makes a comparison misleading: a filter by status, or another date than creation.
 * Recent transactions may still be validated or changed; most of those in the former period already were.
 */
export function partMisleadingComparison({
  filters,
  dateField,
}: DatedFilters): 'status' | 'date' | undefined {
  if (Object.keys(filters).some((name) => fieldOf(name) === 'status')) return 'status';
  return dateField === 'created_at' ? undefined : 'date';
}

export function formerDays({ start, end }: Period, compare: Comparison): Period {
  const { first, last } = formerPeriod({ first: start, last: end }, compare);
  return { start: first, end: last };
}
