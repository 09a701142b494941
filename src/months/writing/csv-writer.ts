/** Writes rows of the month cache as lines of CSV (RFC 4180), from the values of their JSON text. */

import { assertNever } from '../../contract/assert-never.ts';
import type { FieldType } from '../../contract/record/fields.ts';
import { RECORD_FIELDS } from '../../contract/record/records.ts';
import type { Presentation } from '../../plan/list-plan.ts';
import { type CsvStyle, escapedFormula, LINE_END } from '../../plan/rendering/csv-style.ts';
import type { StoredRow } from '../rows/stored-row.ts';
import { unescaped } from './json-text.ts';
import type { RowWriter } from './row-writer.ts';
import { ValuePositions } from './value-positions.ts';

const BACKSLASH = 0x5c;
const NULL = 'n'.charCodeAt(0);
const POINT = '.'.charCodeAt(0);

/** Writes the value between two places of a row, and returns the position after it. */
type ValueWriter = (
  row: StoredRow,
  start: number,
  end: number,
  target: Buffer,
  position: number,
) => number;

export function csvLineWriter(
  plan: Presentation,
  style: CsvStyle,
  labels: readonly Buffer[],
): RowWriter {
  const record = RECORD_FIELDS[plan.role];
  const columns = plan.fields.map(({ name, field }) => ({
    index: record.findIndex((other) => other.name === name),
    write: valueWriter(field.type, style, labels),
  }));
  const values = new ValuePositions(record, 1 + Math.max(...columns.map(({ index }) => index)));
  // Readers skip empty lines, so a line with nothing but null is written as an empty text.
  const nothing = columns.length === 1 ? '""' : '';
  return (row, target, start) => {
    values.read(row);
    let position = start;
    for (const [at, { index, write }] of columns.entries()) {
      if (at > 0) position += target.write(style.separator, position, 'latin1');
      const from = values.startOf(index);
      position =
        row.bytes[from] === NULL
          ? position + target.write(nothing, position, 'latin1')
          : write(row, from, values.endOf(index), target, position);
    }
    return position + target.write(LINE_END, position, 'latin1');
  };
}

function valueWriter(type: FieldType, style: CsvStyle, labels: readonly Buffer[]): ValueWriter {
  switch (type) {
    case 'integer':
      return writeBytes;
    case 'decimal':
      return decimalWriter(style);
    case 'date':
    case 'status':
      return (row, start, end, ...to) => writeBytes(row, start + 1, end - 1, ...to);
    case 'text':
    case 'word':
    case 'address':
    case 'country':
      return textWriter(style);
    case 'status_label':
      return ({ status }, _start, _end, target, position) =>
        position + target.write(`"${labels[status]?.toString() ?? ''}"`, position);
    default:
      return assertNever(type);
  }
}

const writeBytes: ValueWriter = ({ bytes }, start, end, target, position) =>
  position + bytes.copy(target, position, start, end);

const decimalWriter =
  ({ decimalPoint }: CsvStyle): ValueWriter =>
  (row, start, end, target, position) => {
    const after = writeBytes(row, start, end, target, position);
    const point = target.subarray(position, after).indexOf(POINT);
    if (point >= 0) target.write(decimalPoint, position + point, 'latin1');
    return after;
  };

/** A text without escapes is the same in JSON and in CSV, with its quotes. */
const textWriter =
  ({ escapesFormulas }: CsvStyle): ValueWriter =>
  (row, start, end, target, position) => {
    const { bytes } = row;
    const hasEscapes = bytes.subarray(start, end).includes(BACKSLASH);
    if (!hasEscapes && !escapesFormulas) return writeBytes(row, start, end, target, position);
    const text = unescaped(bytes.toString('utf8', start + 1, end - 1));
    const shown = escapesFormulas ? escapedFormula(text) : text;
    return position + target.write(`"${shown.replaceAll('"', '""')}"`, position);
  };
