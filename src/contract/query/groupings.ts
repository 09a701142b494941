/** What a summary can be grouped by: units of time and fields. */

import type { FieldLine, FieldType } from '../record/fields.ts';

/** Units of time on the platform's clock. A group has the first day of its unit. */
// biome-ignore format: one a line
export const TIME_UNITS = {
  day: { meaning: "Day on the platform's clock", pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  week: { meaning: 'Week, as its Monday (ISO 8601)', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  month: { meaning: 'Month', pattern: '^\\d{4}-\\d{2}$' },
} as const;

export type TimeUnit = keyof typeof TIME_UNITS;

/** The types of fields that a summary can be grouped by. */
export type GroupableType = Exclude<FieldType, 'decimal' | 'date' | 'status_label'>;

/** Fields that both roles have under the same name. */
type GroupableName = Exclude<
  Extract<FieldLine, { type: GroupableType; affiliate: number }>,
  { affiliateName: string }
>['name'];

export const GROUPING_FIELDS = [
  'program_id',
  'publisher_id',
  'status',
  'country',
  'device_type',
  'device_os',
  'browser',
  'subid',
] as const satisfies readonly GroupableName[];

export type GroupingField = (typeof GROUPING_FIELDS)[number];

export type Grouping = TimeUnit | GroupingField | 'type';

export const GROUPINGS: readonly Grouping[] = [
  ...(Object.keys(TIME_UNITS) as TimeUnit[]),
  ...GROUPING_FIELDS,
  'type',
];

export const isTimeUnit = (grouping: Grouping): grouping is TimeUnit =>
  Object.hasOwn(TIME_UNITS, grouping);

/** A summary has at most this many groupings. */
export const MAX_GROUPINGS = 3;
