/** Reads a line of NDJSON. */

import { isUtf8 } from 'node:buffer';
import { isJsonObject, type JsonObject } from '../../contract/json-object.ts';
import { KNOWN_COLUMNS } from './known-columns.ts';
import { brokenRow, type RowText } from './row-text.ts';

/** The row of a line, its cells in the order of the columns; in an open one further fields may be. */
export function jsonRow(
  line: number,
  text: string,
  columns: readonly string[] = KNOWN_COLUMNS,
  isOpen = false,
): RowText {
  const bytes = Buffer.from(text, 'latin1');
  if (!isUtf8(bytes)) return brokenRow(line, text, 'not_utf8', invalidField(text));
  const record = readRecord(bytes.toString());
  if (record === undefined) return brokenRow(line, text, 'malformed');
  for (const [column, value] of Object.entries(record)) {
    if (!columns.includes(column)) {
      if (isOpen) continue;
      return brokenRow(line, text, 'unknown_field', Buffer.from(column).toString('latin1'));
    }
    if (value === null) continue;
    if (typeof value !== 'string') return brokenRow(line, text, 'malformed', column);
    if (!value.isWellFormed()) return brokenRow(line, text, 'not_utf8', column);
  }
  return { line, cells: columns.map((column) => cellOf(record[column])) };
}

const cellOf = (value: unknown): string =>
  typeof value === 'string' ? Buffer.from(value).toString('latin1') : '';

/** The object of a line with its numbers as they are written, or nothing where it is no object. */
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

/** The field that is not UTF-8, as far as the line can be read otherwise. */
function invalidField(text: string): string {
  const fields = Object.entries(readRecord(text) ?? {});
  const isInvalid = (value: unknown) =>
    typeof value === 'string' && !isUtf8(Buffer.from(value, 'latin1'));
  return fields.find(([, value]) => isInvalid(value))?.[0] ?? '';
}
