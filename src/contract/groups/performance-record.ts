/** The records of performance: the fields that identify a group, its measures and its ratios. */

import { type PerformanceGrouping, performanceGroupingsOf } from '../query/groupings.ts';
import { inBothOrders } from '../query/sorting/sort.ts';
import type { RecordField, Role } from '../record/records.ts';
import { groupFields, LARGEST_SUM, schemaOfGroup } from './group-fields.ts';
import { measuresOf } from './measures.ts';
import { ratiosOf } from './ratios.ts';

/** The measures and ratios of a group, in the order of the record. */
export const performanceMeasures = (role: Role): readonly RecordField[] => [
  ...measuresOf(role).map(({ name, type, meaning }) => ({
    name,
    field: { name, type, required: true as const, meaning },
  })),
  ...ratiosOf(role).map(({ name, meaning }) => ({
    name,
    field: { name, type: 'decimal' as const, meaning },
  })),
];

/** The prefix of the names of measures and ratios of the former period. */
export const FORMER_PREFIX = 'former_';

/** The measures and ratios of the former period, if `compare` adds them. */
const formerMeasures = (role: Role): readonly RecordField[] =>
  performanceMeasures(role).map(({ name, field }) => {
    const former = {
      ...field,
      name: FORMER_PREFIX + name,
      meaning: `${field.meaning}, in the former period`,
    };
    return { name: former.name, field: former };
  });

export interface RecordOptions {
  readonly hasNames?: boolean;
  readonly isCompared?: boolean;
}

/** The fields of performance records, in order. */
export const performanceFields = (
  role: Role,
  groupings: readonly PerformanceGrouping[],
  { hasNames = false, isCompared = false }: RecordOptions = {},
): readonly RecordField[] => [
  ...groupFields(groupings, hasNames),
  ...performanceMeasures(role),
  ...(isCompared ? formerMeasures(role) : []),
];

/** What records can be sorted by: a measure or ratio, with `-` before it for descending order. */
export const performanceSorts = (role: Role): readonly string[] =>
  inBothOrders(performanceMeasures(role).map(({ name }) => name));

/** The schema of a record: the chosen groupings, and always the measures and ratios. */
export const schemaOfPerformance = (role: Role): Readonly<Record<string, unknown>> =>
  schemaOfGroup(
    performanceGroupingsOf(role),
    performanceMeasures(role),
    sumLimits(role),
    formerMeasures(role),
  );

/** A sum of whole numbers can exceed the maximum of a single value. */
const sumLimits = (role: Role) =>
  Object.fromEntries(
    measuresOf(role)
      .filter(({ type }) => type === 'integer')
      .flatMap(({ name }) => [name, FORMER_PREFIX + name])
      .map((name) => [name, { maximum: LARGEST_SUM }]),
  );
