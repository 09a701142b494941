/** SQL expressions that render records as CSV (RFC 4180), plain or for spreadsheets. */

import { assertNever } from '../../contract/assert-never.ts';
import { isStored, type StoredField } from '../../contract/record/fields.ts';
import type { Kind } from '../../contract/record/kinds.ts';
import type { RecordField } from '../../contract/record/records.ts';
import { join, literal, raw, type Sql, sql } from '../sql.ts';
import { type CsvStyle, formulaPattern, LINE_END } from './csv-style.ts';
import { applicableValueForKind, columnOfField, decimalText } from './json-rendering.ts';

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

const PATTERN_OF_ENGINE = literal(formulaPattern((hex) => `\\x{${hex}}`));

const defusing = (column: string): string =>
  `if(match(${column}, ${PATTERN_OF_ENGINE}), '\\'', '')`;
