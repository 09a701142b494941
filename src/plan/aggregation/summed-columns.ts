/** SQL expressions of the sums of summaries and performance. */

import { appliesTo, type Field } from '../../contract/record/fields.ts';
import type { Kind } from '../../contract/record/kinds.ts';
import type { Role } from '../../contract/record/records.ts';
import { summedFields } from '../../contract/record/summary.ts';
import { applicableValue } from '../rendering/json-rendering.ts';

export interface SummedColumn {
  /** The name in the record. */
  readonly name: string;
  /** The alias of the sum. No column has this name. */
  readonly sum: string;
  /** The SQL of the sum. */
  readonly expression: string;
}

/** The sums of the role's fields over rows of some kinds. */
export const summedColumns = (role: Role, kinds: readonly Kind[]): readonly SummedColumn[] =>
  summedFields(role).map(({ name, field }) => ({
    name,
    sum: sumAlias(name),
    expression: sumOf(name, field, kinds),
  }));

/**
 * Like `summedColumns`, but without a condition on the type, for statements that group by type.
 *
 * A measure reads the sum of a field only from types that have the field.
 */
export const summedColumnsByType = (role: Role): readonly SummedColumn[] =>
  summedFields(role).map(({ name, field }) => ({
    name,
    sum: sumAlias(name),
    expression: sumOfValues(name, field),
  }));

/** The alias of the sum of a field. */
export const sumAlias = (name: string): string => `sum_of_${name}`;

/** Ignores rows whose kind does not have the field. If no kind has it, the column is not read. */
function sumOf(column: string, field: Field, kinds: readonly Kind[]): string {
  const applicableKinds = kinds.filter((kind) => appliesTo(field, kind));
  if (applicableKinds.length === 0) return 'toUInt64(0)';
  const isApplicable = applicableKinds.length === kinds.length;
  return sumOfValues(isApplicable ? column : applicableValue(field, column), field);
}

/** Sums have 128 bits, so they cannot overflow. */
const sumOfValues = (value: string, { type }: Field): string =>
  type === 'integer' ? `ifNull(sum(toUInt128(${value})), 0)` : `ifNull(sum(${value}), 0)`;
