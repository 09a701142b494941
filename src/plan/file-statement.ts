/** The statement that writes a list as a Parquet or Arrow file. */

import { assertNever } from '../contract/assert-never.ts';
import { isStored, type StoredField } from '../contract/record/fields.ts';
import type { RecordField } from '../contract/record/records.ts';
import { type FileForm, isFileForm } from './form.ts';
import type { ListPlan } from './list-plan.ts';
import { fromClause, labelOf } from './list-statement.ts';
import { applicableValueForKind, columnOfField } from './rendering/json-rendering.ts';
import {
  type EngineFileFormat,
  join,
  raw,
  type Sql,
  type Statement,
  sql,
  statementOf,
} from './sql.ts';

export type FilePlan = ListPlan & { readonly form: FileForm };

const ENGINE_FORMATS: { readonly [form in FileForm]: EngineFileFormat } = {
  parquet: 'Parquet',
  arrow: 'Arrow',
};

export const isFilePlan = (plan: ListPlan): plan is FilePlan => isFileForm(plan.form);

/**
 * Writes the columns into a file.
 *
 * The outer query renames the columns. In the inner query an alias would hide the column of the
 * same name from WHERE and ORDER BY.
 */
export function fileStatement(plan: FilePlan, path: string): Statement {
  const columns = plan.fields.map((field, at) => sql`${columnOf(plan, field)} AS ${raw(`f${at}`)}`);
  const names = plan.fields.map(({ name }, at) => `f${at} AS ${name}`).join(', ');
  const statement = statementOf(sql`SELECT ${raw(names)}
FROM (SELECT ${join(columns, ', ')}
${fromClause(plan)})`);
  return Object.freeze({ ...statement, file: { format: ENGINE_FORMATS[plan.form], path } });
}

/** The field's column with a type that all readers of such files support. */
function columnOf(plan: FilePlan, { name, field }: RecordField): Sql {
  if (!isStored(field)) return labelOf(plan);
  const stored = columnValue(field, columnOfField(field, name));
  const value = applicableValueForKind(plan.kind, field, stored) ?? 'NULL';
  return raw(field.required ? value : `CAST(${value} AS Nullable(${typeOf(field)}))`);
}

function columnValue({ type }: StoredField, column: string): string {
  switch (type) {
    case 'integer':
      return `toInt64(${column})`;
    case 'decimal':
      return column;
    case 'date':
      return `toDateTime64(${column}, 3, 'UTC')`;
    case 'status':
      return `toString(${column})`;
    case 'text':
    case 'word':
    case 'address':
    case 'country':
      return `toValidUTF8(${column})`;
    default:
      return assertNever(type);
  }
}

/** Dates are in UTC, because local time is ambiguous when the clock is set back. */
function typeOf({ type }: StoredField): string {
  switch (type) {
    case 'integer':
      return 'Int64';
    case 'decimal':
      return 'Decimal(18, 6)';
    case 'date':
      return "DateTime64(3, 'UTC')";
    case 'text':
    case 'word':
    case 'address':
    case 'country':
    case 'status':
      return 'String';
    default:
      return assertNever(type);
  }
}
