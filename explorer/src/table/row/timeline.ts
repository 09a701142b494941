/** Timeline of a transaction: its clicks, creation, validation and last change, with the dates of its record. */

import { STATUS_NAMES, type Status } from '../../../../src/contract/record/statuses.ts';
import type { ResultRow } from '../../query/api-query.ts';

export type TimelineEvent =
  | 'firstClick'
  | 'lastClick'
  | 'created'
  | 'validated'
  | 'refused'
  | 'changed';

export interface TimelineEntry {
  readonly event: TimelineEvent;
  /** `YYYY-MM-DD HH:MM:SS`, in the platform's time zone. */
  readonly at: string;
}

/** Events of the same second are shown in this order. */
// biome-ignore format: one event a line
const DATES: readonly (readonly [TimelineEvent, string])[] = [
  ['firstClick', 'first_click'],
  ['lastClick', 'last_click'],
  ['created', 'created_at'],
  ['validated', 'validation_date'],
];

/** Sorts by date. Shows the last change of a refused transaction as its refusal, because no field has that date. */
export function timelineOf(row: ResultRow, status: Status | undefined): readonly TimelineEntry[] {
  const entries = DATES.flatMap(([event, name]) => entryOf(event, row[name]));
  const [first, last] = entries;
  const isOneClick =
    first?.event === 'firstClick' && last?.event === 'lastClick' && first.at === last.at;
  const distinct = isOneClick ? entries.slice(1) : entries;
  const isRefused = status !== undefined && STATUS_NAMES[status] === 'refused';
  const isChanged = !distinct.some(({ at }) => at === row.updated_at);
  const change =
    isRefused || isChanged ? entryOf(isRefused ? 'refused' : 'changed', row.updated_at) : [];
  return [...distinct, ...change].sort((one, other) => compare(one.at, other.at));
}

const compare = (one: string, other: string): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

const entryOf = (event: TimelineEvent, at: string | number | null | undefined) =>
  typeof at === 'string' && at !== '' ? [{ event, at }] : [];
