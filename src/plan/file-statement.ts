/** The statement that reads a report as the columns of a file: Parquet or Arrow. */

import type { Field } from '../contract/record/fields.ts';
import type { RecordField } from '../contract/record/records.ts';
import { isText, shownAmong } from './rendering.ts';
import type { FileForm, Form, ReportPlan } from './report-plan.ts';
import { labelOf, source } from './report-statement.ts';
import { type FileFormat, join, raw, type Sql, type Statement, sql, statementOf } from './sql.ts';

export type FilePlan = ReportPlan & { readonly form: FileForm };

const ENGINE_FORMATS: { readonly [form in FileForm]: FileFormat } = {
  parquet: 'Parquet',
  arrow: 'Arrow',
};

export const isFileForm = (form: Form): form is FileForm => Object.hasOwn(ENGINE_FORMATS, form);

export const isFilePlan = (plan: ReportPlan): plan is FilePlan => isFileForm(plan.form);

/**
 * Reads the columns in order, into a file at a path of the service's own making.
 *
 * They are named outside of the question itself, where a name would hide the column that
 * conditions and order are about.
 */
export function fileStatement(plan: FilePlan, path: string): Statement {
  const columns = plan.fields.map((field, at) => sql`${columnOf(plan, field)} AS ${raw(`f${at}`)}`);
  const names = plan.fields.map(({ name }, at) => `f${at} AS ${name}`).join(', ');
  const statement = statementOf(sql`SELECT ${raw(names)}
FROM (SELECT ${join(columns, ', ')}
${source(plan)})`);
  return Object.freeze({ ...statement, file: { format: ENGINE_FORMATS[plan.form], path } });
}

/** A field with a type that every reader of such files knows. */
function columnOf(plan: FilePlan, { name, field }: RecordField): Sql {
  if (field.type === 'status_label') return labelOf(plan);
  const value = shownAmong(plan.kind, field, columnValue(field, name)) ?? 'NULL';
  return raw(field.required ? value : `CAST(${value} AS Nullable(${typeOf(field)}))`);
}

function columnValue(field: Field, column: string): string {
  if (isText(field)) return `toValidUTF8(${column})`;
  switch (field.type) {
    case 'integer':
      return `toInt64(${column})`;
    case 'date':
      return `toDateTime64(${column}, 3, 'UTC')`;
    case 'status':
      return `toString(${column})`;
    default:
      return column;
  }
}

/** Instants are of UTC, as a file cannot say which of two hours a clock means when it is set back. */
function typeOf({ type }: Field): string {
  switch (type) {
    case 'integer':
      return 'Int64';
    case 'decimal':
      return 'Decimal(18, 6)';
    case 'date':
      return "DateTime64(3, 'UTC')";
    default:
      return 'String';
  }
}
