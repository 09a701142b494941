/** CSV as other programs write it (RFC 4180), for tests. */

import type { FileRow } from './file-rows.ts';

export interface CsvForm {
  readonly delimiter?: ',' | ';';
  readonly lineEnd?: '\n' | '\r\n';
  /** The text for null. */
  readonly nothing?: '' | 'NULL' | '\\N';
  /** All columns, in their order. By default, every column that any row has. */
  readonly columns?: readonly string[];
}

/** The rows as the text of a CSV file, with a header. */
export function csv(rows: readonly FileRow[], form: CsvForm = {}): string {
  const { delimiter = ',', lineEnd = '\n', nothing = '' } = form;
  const columns = form.columns ?? [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) =>
    columns.map((name) => cell(row[name] ?? null, nothing)).join(delimiter),
  );
  return [columns.join(delimiter), ...lines, ''].join(lineEnd);
}

function cell(value: string | number | null, nothing: string): string {
  if (value === null) return nothing;
  const text = String(value);
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
