/** Reads a file row by row with line numbers: slower than the engine, but reports can name the lines. */

import { writeGuardedFile } from '../../disk/disk-space.ts';
import { NEVER_ABORTED } from '../../engine/never-aborted.ts';
import { csvRows } from './csv-rows.ts';
import { linesOf } from './file-content.ts';
import { jsonRow } from './json/json-row.ts';
import { decimalColumns } from './mapping.ts';
import { faultyRow, type RowText } from './row-text.ts';
import { hasDecimalCommas, type SourceFile } from './source-file.ts';
import type { CopyOptions } from './utf8-copy.ts';

/** Characters per write. */
const BLOCK_LENGTH = 65_536;

/**
 * Writes the rows of a CSV or NDJSON file as JSON arrays, one per line: the line number, the column and the reason of
 * its fault, and the cells.
 */
export async function writeNumberedRows(
  source: SourceFile,
  columns: readonly string[],
  path: string,
  { signal = NEVER_ABORTED, reserve }: Omit<CopyOptions, 'stated'>,
): Promise<void> {
  const rows = blocks(textRows(source, columns));
  const whenFull = `${source.name}: the disk has no space for the copy in which wrong rows are found. Free some, then import the file again.`;
  await writeGuardedFile(path, rows, { signal, reserve, whenFull });
}

/** The rows of a CSV or NDJSON file. `columns` selects the cells of NDJSON; rows of CSV have all cells. */
export const textRows = (
  source: SourceFile,
  columns: readonly string[],
): AsyncGenerator<RowText> =>
  source.form.format === 'csv' ? rowsOfCsv(source, source.form) : rowsOfJson(source, columns);

async function* blocks(rows: AsyncIterable<RowText>): AsyncGenerator<Buffer> {
  let block = '';
  for await (const { line, cells, fault } of rows) {
    block += `${JSON.stringify([line, fault?.column ?? '', fault?.reason ?? '', cells])}\n`;
    if (block.length < BLOCK_LENGTH) continue;
    yield Buffer.from(block, 'latin1');
    block = '';
  }
  yield Buffer.from(block, 'latin1');
}

async function* rowsOfCsv(
  source: SourceFile,
  { delimiter, columns }: { delimiter: string; columns: readonly string[] },
): AsyncGenerator<RowText> {
  let isHeader = true;
  const rows = csvRows(linesOf(source), delimiter, { name: source.name });
  for await (const { line, text, cells } of rows) {
    if (!isHeader) yield rowOf(line, text, cells, columns.length);
    isHeader = false;
  }
}

function rowOf(
  line: number,
  text: string,
  cells: readonly string[] | undefined,
  wanted: number,
): RowText {
  if (cells === undefined) return faultyRow(line, text, 'malformed');
  if (cells.length === wanted) return { line, cells };
  // Some exports write an extra delimiter at the end of every row.
  const isEndedTwice = cells.length === wanted + 1 && cells[wanted]?.trim() === '';
  return isEndedTwice
    ? { line, cells: cells.slice(0, wanted) }
    : faultyRow(line, text, 'wrong_number_of_cells');
}

async function* rowsOfJson(
  source: SourceFile,
  columns: readonly string[],
): AsyncGenerator<RowText> {
  const isOpen = source.mapping !== undefined;
  const commaColumns = hasDecimalCommas(source) ? decimalColumns(source.mapping) : [];
  let line = 0;
  for await (const text of linesOf(source)) {
    line += 1;
    if (text.trim() !== '') yield jsonRow(line, text, columns, isOpen, commaColumns);
  }
}
