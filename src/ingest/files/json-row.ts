/** Parses one line of NDJSON. */

import { isUtf8 } from 'node:buffer';
import { isJsonObject, type JsonObject } from '../../contract/json-object.ts';
import { KNOWN_COLUMNS } from './known-columns.ts';
import { faultyRow, type RowText } from './row-text.ts';

/**
 * The row of a line, with its cells in the order of `columns`. Other fields are a fault, or ignored if `isOpen`, even
 * if they are not UTF-8.
 */
export function jsonRow(
  line: number,
  text: string,
  columns: readonly string[] = KNOWN_COLUMNS,
  isOpen = false,
): RowText {
  const bytes = Buffer.from(text, 'latin1');
  const isValid = isUtf8(bytes);
  // Invalid bytes become replacement characters.
  const record = readRecord(bytes.toString());
  if (!isValid && (!isOpen || record === undefined)) {
    return faultyRow(line, text, 'not_utf8', invalidField(text));
  }
  if (record === undefined) return faultyRow(line, text, 'malformed');
  for (const [column, value] of Object.entries(record)) {
    if (!columns.includes(column)) {
      if (isOpen) continue;
      return faultyRow(line, text, 'unknown_field', latin1(column));
    }
    if (value === null) continue;
    if (typeof value !== 'string') return faultyRow(line, text, 'malformed', latin1(column));
    if (!value.isWellFormed() || (!isValid && value.includes(REPLACEMENT))) {
      return faultyRow(line, text, 'not_utf8', latin1(column));
    }
  }
  return { line, cells: columns.map((column) => cellOf(record[column])) };
}

const REPLACEMENT = '\uFFFD';

/** One character per byte, like all texts of rows. */
const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

const cellOf = (value: unknown): string => (typeof value === 'string' ? latin1(value) : '');

/** The object of a line, with numbers as their original text; undefined if the line is not an object. */
function readRecord(text: string): JsonObject | undefined {
  const asWritten = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? context?.source : value;
  try {
    const record: unknown = JSON.parse(text.replace(BYTE_ORDER_MARK, ''), asWritten);
    return isJsonObject(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

const BYTE_ORDER_MARK = /^\uFEFF/;

/** The name of the field that is not UTF-8, if the line is valid JSON otherwise. */
function invalidField(text: string): string {
  const fields = Object.entries(readRecord(text) ?? {});
  const isInvalid = (value: unknown) =>
    typeof value === 'string' && !isUtf8(Buffer.from(value, 'latin1'));
  return fields.find(([, value]) => isInvalid(value))?.[0] ?? '';
}
