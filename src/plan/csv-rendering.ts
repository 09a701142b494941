/** SQL expressions that render records as CSV (RFC 4180), plain or for spreadsheets. */

import { assertNever } from '../contract/assert-never.ts';
import { isStored, type StoredField } from '../contract/record/fields.ts';
import type { Kind } from '../contract/record/kinds.ts';
import type { RecordField } from '../contract/record/records.ts';
import { applicableValueForKind, decimalText } from './rendering.ts';
import { join, literal, raw, type Sql, sql } from './sql.ts';

/** How CSV is written. */
export interface CsvStyle {
  readonly separator: string;
  readonly decimalPoint: string;
  /** Whether an apostrophe is put before texts that a spreadsheet would run as formulas. */
  readonly isDefused: boolean;
  /** The first characters of the file. */
  readonly opening: string;
}

export const PLAIN_CSV: CsvStyle = {
  separator: ',',
  decimalPoint: '.',
  isDefused: false,
  opening: '',
};

/** For spreadsheets in languages with a decimal comma. The byte order mark marks UTF-8. */
export const EXCEL_CSV: CsvStyle = {
  separator: ';',
  decimalPoint: ',',
  isDefused: true,
  opening: '\uFEFF',
};

export const LINE_END = '\r\n';

export const csvHeader = (fields: readonly RecordField[], style: CsvStyle): string =>
  `${style.opening}${fields.map(({ name }) => name).join(style.separator)}${LINE_END}`;

/**
 * A record as a CSV line. Texts are always quoted. Null is an empty cell, or `""` if it is the only
 * cell, because readers skip empty lines. With a kind, all rows are of that kind.
 *
 * Invalid UTF-8 is replaced once per line, which cannot damage the separators.
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
  const text = applicableValueForKind(kind, field, bareText(field, column, style));
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

/** The characters that can begin a formula in spreadsheets. */
const FORMULA_STARTS = [...'=+-@＝＋－＠\t\r\n'];

const defusing = (column: string): string =>
  `if(substringUTF8(${column}, 1, 1) IN (${FORMULA_STARTS.map(literal).join(', ')}), '\\'', '')`;

/** The same for a text in memory. */
export const defused = (text: string): string =>
  FORMULA_STARTS.some((start) => text.startsWith(start)) ? `'${text}` : text;
