/** What the groups of a summary may be made by. */

import type { FieldName } from '../record/fields.ts';

/** The stretches of time, by the date that the period is about; each is written as its first day. */
// biome-ignore format: one a line
export const TIME_UNITS = {
  day: { meaning: "Day on the platform's clock", pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  week: { meaning: 'Week, as its Monday (ISO 8601)', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  month: { meaning: 'Month', pattern: '^\\d{4}-\\d{2}$' },
} as const;

export type TimeUnit = keyof typeof TIME_UNITS;

/** The fields whose values make groups; all of them are for both audiences, under one name. */
export const GROUPING_FIELDS = [
  'program_id',
  'publisher_id',
  'status',
  'country',
  'device_type',
  'device_os',
  'browser',
  'subid',
] as const satisfies readonly FieldName[];

export type Grouping = TimeUnit | (typeof GROUPING_FIELDS)[number] | 'type';

export const GROUPINGS: readonly Grouping[] = [
  ...(Object.keys(TIME_UNITS) as TimeUnit[]),
  ...GROUPING_FIELDS,
  'type',
];

export const isTimeUnit = (grouping: Grouping): grouping is TimeUnit =>
  Object.hasOwn(TIME_UNITS, grouping);

/** The most that one summary is grouped by. */
export const MOST_GROUPINGS = 3;
