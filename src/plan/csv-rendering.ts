/** SQL expressions that render records as CSV (RFC 4180), plain or for spreadsheets. */

import { assertNever } from '../contract/assert-never.ts';
import { isStored, type StoredField } from '../contract/record/fields.ts';
import type { Kind } from '../contract/record/kinds.ts';
import type { RecordField } from '../contract/record/records.ts';
import type { CsvForm } from './form.ts';
import { applicableValueForKind, columnOfField, decimalText } from './rendering.ts';
import { join, literal, raw, type Sql, sql } from './sql.ts';

/** How CSV is written. */
export interface CsvStyle {
  readonly separator: string;
  readonly decimalPoint: string;
  /** Whether an apostrophe is put before texts that a spreadsheet would run as formulas. */
  readonly escapesFormulas: boolean;
  /** The first characters of the file. */
  readonly opening: string;
}

/** For spreadsheets. The byte order mark marks UTF-8. */
const SPREADSHEET = { escapesFormulas: true, opening: '\uFEFF' } as const;

export const CSV_STYLES: { readonly [form in CsvForm]: CsvStyle } = {
  csv: { separator: ',', decimalPoint: '.', escapesFormulas: false, opening: '' },
  excel: { separator: ';', decimalPoint: ',', ...SPREADSHEET },
  'excel-en': { separator: ',', decimalPoint: '.', ...SPREADSHEET },
};

export const LINE_END = '\r\n';

export const csvHeader = (fields: readonly RecordField[], style: CsvStyle): string =>
  `${style.opening}${fields.map(({ name }) => name).join(style.separator)}${LINE_END}`;

/**
 * A record as a CSV line. Texts are always quoted. Null is an empty cell, or `""` if it is the only
 * cell, because readers skip empty lines. If `kind` is given, all rows are of that kind.
 *
 * Invalid UTF-8 is replaced in the complete line at once. Quotes and separators are ASCII, so they stay.
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
  const text = applicableValueForKind(
    kind,
    field,
    bareText(field, columnOfField(field, column), style),
  );
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

function quotedText(column: string, { escapesFormulas }: CsvStyle): string {
  const quoted = `replaceAll(${column}, '"', '""'), '"'`;
  return escapesFormulas ? `concat('"', ${defusing(column)}, ${quoted})` : `concat('"', ${quoted})`;
}

/** The characters that can begin a formula in spreadsheets. */
const FORMULA_STARTS = '=+\\-@＝＋－＠';

/** Blanks, controls and characters without width, which spreadsheets may skip before a formula. */
const SKIPPED: readonly (readonly [number, number])[] = [
  [0x00, 0x20],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
];

/** Matches texts that spreadsheets may run. `codePoint` writes a code point for the engine (RE2) or JavaScript. */
function formulaPattern(codePoint: (hex: string) => string): string {
  const escaped = (code: number) => codePoint(code.toString(16));
  const skipped = SKIPPED.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join('');
  return `^(?:[\\t\\r\\n]|[${skipped}]*[${FORMULA_STARTS}])`;
}

const PATTERN_OF_ENGINE = literal(formulaPattern((hex) => `\\x{${hex}}`));

const defusing = (column: string): string =>
  `if(match(${column}, ${PATTERN_OF_ENGINE}), '\\'', '')`;

const PATTERN = new RegExp(
  formulaPattern((hex) => `\\u{${hex}}`),
  'u',
);

/** Puts an apostrophe before a text that a spreadsheet would run as a formula. */
export const escapedFormula = (text: string): string => (PATTERN.test(text) ? `'${text}` : text);
