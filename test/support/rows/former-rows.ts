/** Former periods and their rows, computed with JavaScript dates. */

import type { Comparison } from '../../../src/contract/query/compared-period.ts';
import type { RecordOfKind } from './summaries.ts';

type Period = readonly [first: string, last: string];

const DAY = 86_400_000;

const textOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

const daysLater = (date: string, days: number): string => textOf(Date.parse(date) + days * DAY);

/** The same day some months later. In a month without that day, its last day. */
function monthsLater(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return textOf(Date.UTC(year, month - 1 + months, Math.min(day, last)));
}

const monthOf = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));

const latest = (one: string, other: string): string => (one > other ? one : other);

export interface Former {
  readonly period: Period;
  /** Moves a date of the former period to the present one, at least to its first day. */
  readonly shifted: (date: string) => string;
}

/** How many months earlier the former period is. For `previous`, the length of the period decides. */
const MONTHS_BEFORE = { previous: undefined, month: 1, year: 12 } as const;

export function formerOf([first, last]: Period, compare: Comparison): Former {
  const next = daysLater(last, 1);
  const isWholeMonths = first.endsWith('-01') && next.endsWith('-01');
  const before = MONTHS_BEFORE[compare];
  if (before !== undefined || isWholeMonths) {
    const months = before ?? monthOf(next) - monthOf(first);
    const end = before === undefined ? daysLater(first, -1) : monthsLater(last, -months);
    const shifted = (date: string) => latest(first, monthsLater(date, months));
    return { period: [monthsLater(first, -months), end], shifted };
  }
  const days = (Date.parse(next) - Date.parse(first)) / DAY;
  const shifted = (date: string) => daysLater(date, days);
  return { period: [daysLater(first, -days), daysLater(first, -1)], shifted };
}

/** The rows as if they had been created in the present period, at the same time of the day. */
export const shiftedRows = (
  rows: readonly RecordOfKind[],
  { shifted }: Former,
): readonly RecordOfKind[] =>
  rows.map(({ kind, record }) => {
    const created = String(record.created_at);
    const created_at = shifted(created.slice(0, 10)) + created.slice(10);
    return { kind, record: { ...record, created_at } };
  });
