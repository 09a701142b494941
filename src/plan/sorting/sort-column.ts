/** SQL of the value by which a list is sorted. */

import { assertNever } from '../../contract/assert-never.ts';
import { MAX_SORTED_BYTES } from '../../contract/query/sorting/sorted-bytes.ts';
import { isStored, type StoredField } from '../../contract/record/fields.ts';
import { RECORD_FIELDS } from '../../contract/record/records.ts';
import type { ListPlan } from '../list-plan.ts';
import { applicableValueForKind, columnOfField } from '../rendering/json-rendering.ts';
import { bind, raw, type Sql, sql } from '../sql.ts';

export interface SortColumn {
  /** The expression that records are sorted by. */
  readonly value: Sql;
  /** The expression of the value's bytes, which a cursor contains. */
  readonly bytes: Sql;
  readonly isNullable: boolean;
  /** Converts a value from a cursor to SQL. The cursor has the bytes of the value, as a Latin-1 string. */
  readonly bound: (bytes: string) => Sql;
}

/** The value that a list is sorted by. Undefined without `sort`, or if records of this kind do not have the field. */
export function sortColumnOf({ role, kind, sort }: ListPlan): SortColumn | undefined {
  const sorted = RECORD_FIELDS[role].find(({ name }) => name === sort?.by);
  if (sorted === undefined || !isStored(sorted.field)) return undefined;
  const { name, field } = sorted;
  const shown = comparedValue(field, columnOfField(field, name));
  const expression = applicableValueForKind(kind, field, shown);
  if (expression === undefined) return undefined;
  return {
    value: raw(expression),
    bytes: raw(bytesOf(field, expression)),
    isNullable: field.required !== true,
    bound: (bytes) => boundValue(field, bytes),
  };
}

const comparedValue = ({ type }: StoredField, column: string): string =>
  type === 'text' || type === 'word' ? `substring(${column}, 1, ${MAX_SORTED_BYTES})` : column;

function bytesOf({ type }: StoredField, value: string): string {
  switch (type) {
    case 'integer':
    case 'decimal':
    case 'status':
      return `toString(${value})`;
    case 'date':
      return `toString(toUInt32(${value}))`;
    case 'text':
    case 'word':
    case 'address':
    case 'country':
      return value;
    default:
      return assertNever(type);
  }
}

function boundValue({ type }: StoredField, bytes: string): Sql {
  switch (type) {
    case 'integer':
      return sql`${bind('UInt64', Number(bytes))}`;
    case 'status':
      return sql`${bind('UInt8', Number(bytes))}`;
    case 'decimal':
      return sql`toDecimal64(${bind('String', bytes)}, 6)`;
    case 'date':
      return sql`toDateTime(${bind('UInt32', Number(bytes))})`;
    case 'text':
    case 'word':
    case 'address':
    case 'country':
      // A truncated text may end in the middle of a character, so it cannot be bound as UTF-8.
      return sql`unhex(${bind('String', Buffer.from(bytes, 'latin1').toString('hex'))})`;
    default:
      return assertNever(type);
  }
}
