/** Reads a file row by row with the numbers of its lines: slower than the engine, but it can tell where. */

import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { type CsvError, parse } from 'csv-parse';
import { KNOWN_COLUMNS } from './known-columns.ts';
import type { Reason } from './reasons.ts';
import { contentOf, type SourceFile } from './source-file.ts';

/** A row of a file as text; `fault` where it is not even a row. */
interface NumberedRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly fault?: { readonly column: string; readonly reason: Reason };
}

/** Writes the rows of a CSV or NDJSON file as JSON arrays, one a line: line, fault, cells. */
export async function writeNumberedRows(
  source: SourceFile,
  path: string,
  signal: AbortSignal | undefined,
) {
  const rows = source.form.format === 'csv' ? csvRows(source, source.form) : jsonRows(source);
  const encoding = source.form.format === 'csv' ? 'latin1' : 'utf8';
  await pipeline(lines(rows, encoding), createWriteStream(path), { ...(signal ? { signal } : {}) });
}

async function* lines(rows: AsyncIterable<NumberedRow>, encoding: 'latin1' | 'utf8') {
  for await (const { line, cells, fault } of rows) {
    const row = [line, fault?.column ?? '', fault?.reason ?? '', cells];
    yield Buffer.from(`${JSON.stringify(row)}\n`, encoding);
  }
}

/** Cells hold bytes as Latin-1 characters, so that invalid UTF-8 stays what it is. */
async function* csvRows(
  source: SourceFile,
  form: { delimiter: string; columns: readonly string[] },
): AsyncIterable<NumberedRow> {
  let line = 1;
  const broken: NumberedRow[] = [];
  const records = contentOf(source).pipe(
    parse({
      delimiter: form.delimiter,
      encoding: 'latin1',
      info: true,
      raw: false,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_error: true,
      on_skip: (error?: CsvError) => {
        broken.push({
          line: Number(error?.lines ?? line),
          cells: [],
          fault: { column: '', reason: 'malformed' },
        });
        return undefined;
      },
    }),
  );
  let isHeader = true;
  for await (const { record, info } of records as AsyncIterable<{
    record: string[];
    info: { lines: number };
  }>) {
    yield* broken.splice(0);
    if (!isHeader) yield rowOf(line, record, form.columns.length);
    isHeader = false;
    line = info.lines + 1;
  }
  yield* broken.splice(0);
}

const rowOf = (line: number, cells: readonly string[], wanted: number): NumberedRow =>
  cells.length === wanted
    ? { line, cells }
    : { line, cells, fault: { column: '', reason: 'wrong_number_of_cells' } };

async function* jsonRows(source: SourceFile): AsyncIterable<NumberedRow> {
  const content = contentOf(source).setEncoding('latin1');
  let line = 0;
  for await (const text of createInterface({
    input: content,
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    line += 1;
    if (text.trim() !== '') yield jsonRow(line, Buffer.from(text, 'latin1'));
  }
}

function jsonRow(line: number, bytes: Buffer): NumberedRow {
  const malformed = (column = ''): NumberedRow => ({
    line,
    cells: [bytes.toString()],
    fault: { column, reason: 'malformed' },
  });
  const record = readRecord(bytes);
  if (record === undefined) return malformed();
  for (const [column, value] of Object.entries(record)) {
    if (!KNOWN_COLUMNS.includes(column)) {
      return { ...malformed(column), fault: { column, reason: 'unknown_field' } };
    }
    if (value !== null && typeof value !== 'string') return malformed(column);
  }
  return { line, cells: KNOWN_COLUMNS.map((column) => String(record[column] ?? '')) };
}

/** The object of a line with its numbers as they are written, or nothing where it is no object. */
function readRecord(bytes: Buffer): Record<string, unknown> | undefined {
  const asWritten = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? context?.source : value;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const record: unknown = JSON.parse(text, asWritten);
    const isObject = typeof record === 'object' && record !== null && !Array.isArray(record);
    return isObject ? (record as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
