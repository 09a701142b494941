/** The table of groupings: the units of time and the fields that reports are grouped by. */

import type { FieldLine, FieldType } from '../record/fields.ts';
import { fieldNamesOf, type Role } from '../record/records.ts';

export interface TimeUnitLine {
  readonly meaning: string;
  /** Regular expression that the value of a group matches, such as `2026-01` for a month. */
  readonly pattern: string;
  /** The maximum length in days of a period that can be grouped by the unit. */
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
  'payment_id',
  'invoice_id',
] as const satisfies readonly GroupableName[];

export type GroupingField = (typeof GROUPING_FIELDS)[number];

/** Ages of transactions in days since their creation, the youngest first. The last has no limit. */
export const AGES = [
  { name: '0-30', maxDays: 30 },
  { name: '31-60', maxDays: 60 },
  { name: '61-90', maxDays: 90 },
  { name: '91+' },
] as const;

/** Groupings by something other than a unit of time or a field. */
const OTHER_GROUPINGS = ['type', 'age'] as const;

export type Grouping = TimeUnit | GroupingField | (typeof OTHER_GROUPINGS)[number];

/** The groupings of summaries. */
export const GROUPINGS: readonly Grouping[] = [
  ...(Object.keys(TIME_UNITS) as TimeUnit[]),
  ...GROUPING_FIELDS,
  ...OTHER_GROUPINGS,
];

export const isTimeUnit = (grouping: Grouping): grouping is TimeUnit =>
  Object.hasOwn(TIME_UNITS, grouping);

export const isGroupingField = (grouping: Grouping): grouping is GroupingField =>
  GROUPING_FIELDS.some((field) => field === grouping);

/** The groupings of a role: all except fields that the role does not see. */
export const groupingsOf = (role: Role): readonly Grouping[] =>
  GROUPINGS.filter(
    (grouping) => !isGroupingField(grouping) || fieldNamesOf(role).includes(grouping),
  );

/** Groupings that performance does not have, because its measures already distinguish types and statuses. */
const MEASURED = ['type', 'status'] as const satisfies readonly Grouping[];

export type PerformanceGrouping = Exclude<Grouping, (typeof MEASURED)[number]>;

const isUnmeasured = (grouping: Grouping): grouping is PerformanceGrouping =>
  !MEASURED.some((measured) => measured === grouping);

/** The groupings of a role's performance. */
export const performanceGroupingsOf = (role: Role): readonly PerformanceGrouping[] =>
  groupingsOf(role).filter(isUnmeasured);

/** A report has at most this many groupings. */
export const MAX_GROUPINGS = 3;
