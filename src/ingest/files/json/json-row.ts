/** Parses one line of NDJSON. */

import { isUtf8 } from 'node:buffer';
import { isJsonObject, type JsonObject } from '../../../contract/json-object.ts';
import { WRONG_POINT } from '../../dialect/number-notation.ts';
import { KNOWN_COLUMNS } from '../known-columns.ts';
import { faultyRow, type RowText } from '../row-text.ts';

/**
 * The row of a line, with its cells in the order of `columns`. Other fields are a fault, or ignored if `isOpen`, even
 * if they are not UTF-8.
 *
 * The texts of `commaColumns` have decimal commas. Numbers always have decimal points, and `1.234` as a text of such
 * a column means 1234. So a number with a point is marked there, and fails the checks.
 */
export function jsonRow(
  line: number,
  text: string,
  columns: readonly string[] = KNOWN_COLUMNS,
  isOpen = false,
  commaColumns: readonly string[] = [],
): RowText {
  const bytes = Buffer.from(text, 'latin1');
  const isValid = isUtf8(bytes);
  // Invalid bytes become replacement characters.
  const record = readRecord(bytes.toString(), commaColumns);
  if (!isValid && (!isOpen || record === undefined)) {
    return faultyRow(line, text, 'not_utf8', invalidField(text));
  }
  if (record === undefined) return faultyRow(line, text, 'malformed');
  const raw = isValid ? {} : readRecord(text);
  for (const [column, value] of Object.entries(record)) {
    if (!columns.includes(column)) {
      if (isOpen) continue;
      return faultyRow(line, text, 'unknown_field', latin1(column));
    }
    if (value === null) continue;
    if (typeof value !== 'string') return faultyRow(line, text, 'malformed', latin1(column));
    // A valid text may have a replacement character, too.
    const isReplaced = value.includes(REPLACEMENT) && isInvalid(raw?.[latin1(column)]);
    if (!value.isWellFormed() || isReplaced) {
      return faultyRow(line, text, 'not_utf8', latin1(column));
    }
  }
  return { line, cells: columns.map((column) => cellOf(record[column])) };
}

/** The names of the fields of a line; none if it is not an object. */
export const fieldNames = (text: string): readonly string[] =>
  Object.keys(readRecord(Buffer.from(text, 'latin1').toString()) ?? {});

const REPLACEMENT = '\uFFFD';

/** One character per byte, like all texts of rows. */
const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

const cellOf = (value: unknown): string => (typeof value === 'string' ? latin1(value) : '');

/** The object of a line, with numbers as their original text; undefined if the line is not an object. */
function readRecord(text: string, commaColumns: readonly string[] = []): JsonObject | undefined {
  const asWritten = (key: string, value: unknown, context?: { source?: string }): unknown => {
    if (typeof value !== 'number') return value;
    const hasWrongPoint = context?.source?.includes('.') && commaColumns.includes(key);
    return hasWrongPoint ? `${context?.source}${WRONG_POINT}` : context?.source;
  };
  try {
    const record: unknown = JSON.parse(text.replace(BYTE_ORDER_MARK, ''), asWritten);
    return isJsonObject(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value with one character per byte is not UTF-8. */
const isInvalid = (value: unknown): boolean =>
  typeof value === 'string' && !isUtf8(Buffer.from(value, 'latin1'));

const BYTE_ORDER_MARK = /^\uFEFF/;

/** The name of the field that is not UTF-8, if the line is valid JSON otherwise. */
function invalidField(text: string): string {
  const fields = Object.entries(readRecord(text) ?? {});
  return fields.find(([, value]) => isInvalid(value))?.[0] ?? '';
}
