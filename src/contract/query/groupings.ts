/** The table of groupings: the units of time and the fields that reports are grouped by. */

import type { FieldLine, FieldType } from '../record/fields.ts';
import { namesOf, type Role } from '../record/records.ts';

export interface TimeUnitLine {
  readonly meaning: string;
  /** The form of a group's name, as a regular expression. */
  readonly pattern: string;
  /** The most days of a period that can be grouped by the unit. */
  readonly maxDays?: number;
}

/** Units of time on the platform's clock. */
// biome-ignore format: one a line
export const TIME_UNITS = {
  hour: { meaning: "Hour on the platform's clock. The hour that is repeated when the clock is turned back is one group", pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:00$', maxDays: 7 },
  day: { meaning: "Day on the platform's clock", pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  week: { meaning: 'Week, as its Monday (ISO 8601)', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  month: { meaning: 'Month', pattern: '^\\d{4}-\\d{2}$' },
} as const satisfies Record<string, TimeUnitLine>;

export type TimeUnit = keyof typeof TIME_UNITS;

/** The types of fields that a report can be grouped by. */
export type GroupableType = Exclude<FieldType, 'decimal' | 'date' | 'status_label'>;

/** Fields that have the same name for every role that sees them. */
type GroupableName = Exclude<
  Extract<FieldLine, { type: GroupableType }>,
  { affiliateName: string }
>['name'];

export const GROUPING_FIELDS = [
  'program_id',
  'publisher_id',
  'support_id',
  'status',
  'country',
  'device_type',
  'device_os',
  'browser',
  'subid',
  'coupon',
] as const satisfies readonly GroupableName[];

export type GroupingField = (typeof GROUPING_FIELDS)[number];

export type Grouping = TimeUnit | GroupingField | 'type';

/** The groupings of summaries. */
export const GROUPINGS: readonly Grouping[] = [
  ...(Object.keys(TIME_UNITS) as TimeUnit[]),
  ...GROUPING_FIELDS,
  'type',
];

export const isTimeUnit = (grouping: Grouping): grouping is TimeUnit =>
  Object.hasOwn(TIME_UNITS, grouping);

/** The groupings of a role: units of time, the type, and fields that the role sees. */
export const groupingsOf = (role: Role): readonly Grouping[] =>
  GROUPINGS.filter(
    (grouping) => isTimeUnit(grouping) || grouping === 'type' || namesOf(role).includes(grouping),
  );

/** What performance is not grouped by, because its measures are already by type and status. */
const MEASURED = ['type', 'status'] as const satisfies readonly Grouping[];

export type PerformanceGrouping = Exclude<Grouping, (typeof MEASURED)[number]>;

const isUnmeasured = (grouping: Grouping): grouping is PerformanceGrouping =>
  !MEASURED.some((measured) => measured === grouping);

/** The groupings of a role's performance. */
export const performanceGroupingsOf = (role: Role): readonly PerformanceGrouping[] =>
  groupingsOf(role).filter(isUnmeasured);

/** A report has at most this many groupings. */
export const MAX_GROUPINGS = 3;
