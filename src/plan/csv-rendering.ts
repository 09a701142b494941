/** The expressions that write fields as the text of CSV (RFC 4180), or as spreadsheets read it. */

import { assertNever } from '../contract/assert-never.ts';
import { isStored, type StoredField } from '../contract/record/fields.ts';
import type { Kind } from '../contract/record/kinds.ts';
import type { RecordField } from '../contract/record/records.ts';
import { decimalText, shownForKind } from './rendering.ts';
import { join, literal, raw, type Sql, sql } from './sql.ts';

/** How CSV is written. */
export interface CsvStyle {
  readonly separator: string;
  readonly decimalPoint: string;
  /** Whether a text that a spreadsheet would take for a formula begins with an apostrophe. */
  readonly isDefused: boolean;
  /** What the file begins with. */
  readonly opening: string;
}

export const PLAIN_CSV: CsvStyle = {
  separator: ',',
  decimalPoint: '.',
  isDefused: false,
  opening: '',
};

/** As spreadsheets expect it where they take the comma for the decimal point. */
export const EXCEL_CSV: CsvStyle = {
  separator: ';',
  decimalPoint: ',',
  isDefused: true,
  opening: '\uFEFF',
};

/** What ends each line. */
export const LINE_END = '\r\n';

export const csvHeader = (fields: readonly RecordField[], style: CsvStyle): string =>
  `${style.opening}${fields.map(({ name }) => name).join(style.separator)}${LINE_END}`;

/**
 * One line of a row, of a kind where all rows are of one; texts are always in quotes, and null is
 * nothing at all, unless nothing else is in the line: readers skip empty ones.
 *
 * Text that is not UTF-8 is mended once a line: separators are never part of what is mended.
 */
export function csvLine(
  kind: Kind | undefined,
  fields: readonly RecordField[],
  label: Sql,
  style: CsvStyle,
): Sql {
  const pieces = fields.flatMap(({ name, field }, at) => [
    ...(at === 0 ? [] : [raw(literal(style.separator))]),
    ...(isStored(field)
      ? csvText(kind, field, name, style, fields.length === 1 ? '""' : '')
      : [raw(literal('"')), label, raw(literal('"'))]),
  ]);
  return sql`toValidUTF8(concat(${join([...pieces, raw(literal(LINE_END))], ', ')}))`;
}

function csvText(
  kind: Kind | undefined,
  field: StoredField,
  column: string,
  style: CsvStyle,
  nothing: string,
): readonly Sql[] {
  const text = shownForKind(kind, field, bareText(field, column, style));
  if (text === undefined) return nothing === '' ? [] : [raw(literal(nothing))];
  return [raw(field.required ? text : `ifNull(${text}, ${literal(nothing)})`)];
}

function bareText({ type }: StoredField, column: string, style: CsvStyle): string {
  switch (type) {
    case 'text':
    case 'word':
    case 'address':
    case 'country':
      return quotedText(column, style);
    case 'decimal':
      return style.decimalPoint === '.'
        ? decimalText(column)
        : `replaceAll(${decimalText(column)}, '.', ${literal(style.decimalPoint)})`;
    case 'date':
      return `formatDateTime(${column}, '%F %T')`;
    case 'integer':
    case 'status':
      return `toString(${column})`;
    default:
      return assertNever(type);
  }
}

function quotedText(column: string, { isDefused }: CsvStyle): string {
  const quoted = `replaceAll(${column}, '"', '""'), '"'`;
  return isDefused ? `concat('"', ${defusing(column)}, ${quoted})` : `concat('"', ${quoted})`;
}

/** The characters with which spreadsheets, or what reads their files, let a formula begin. */
const FORMULA_STARTS = [...'=+-@＝＋－＠\t\r\n'].map(literal).join(', ');

const defusing = (column: string): string =>
  `if(substringUTF8(${column}, 1, 1) IN (${FORMULA_STARTS}), '\\'', '')`;
