/** Detects the compression, format and delimiter of a file from its first bytes. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ImportRefused } from '../import-refused.ts';
import { csvCells } from './csv-rows.ts';
import { contentOf } from './file-content.ts';
import { KNOWN_COLUMNS } from './known-columns.ts';
import type { Compression, FileForm, SourceFile } from './source-file.ts';

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const PARQUET = Buffer.from('PAR1');
const UTF_16 = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];
const BYTE_ORDER_MARK = '\uFEFF';

/** The maximum size of a header. */
const HEAD_BYTES = 65_536;

/** `expected` are the column names by which the delimiter of CSV is recognised. */
export async function detectFileFormat(
  path: string,
  name: string,
  expected: readonly string[] = KNOWN_COLUMNS,
): Promise<SourceFile> {
  const file = await stat(path).catch((cause: unknown) => {
    throw new ImportRefused(`${name}: cannot be read: ${messageOf(cause)}.`, { cause });
  });
  if (!file.isFile()) throw new ImportRefused(`${name}: is not a file.`);
  const compression = compressionOf(await headOf(name, createReadStream(path, { end: 3 })));
  const head = await headOf(name, contentOf({ path, compression }));
  if (head.length === 0) {
    throw new ImportRefused(
      `${name}: is empty. A file begins with a header that names its columns.`,
    );
  }
  return { name, path, bytes: file.size, compression, form: formOf(name, head, expected) };
}

async function headOf(name: string, content: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= HEAD_BYTES) break;
    }
  } catch (cause) {
    throw new ImportRefused(`${name}: cannot be read: ${messageOf(cause)}.`, { cause });
  }
  return Buffer.concat(chunks);
}

function compressionOf(head: Buffer): Compression {
  if (head.subarray(0, 2).equals(GZIP)) return 'gzip';
  return head.equals(ZSTD) ? 'zstd' : 'none';
}

function formOf(name: string, head: Buffer, expected: readonly string[]): FileForm {
  if (head.subarray(0, 4).equals(PARQUET)) return { format: 'parquet' };
  if (UTF_16.some((mark) => head.subarray(0, 2).equals(mark))) {
    throw new ImportRefused(`${name}: is UTF-16. Save it as UTF-8.`);
  }
  const text = head.toString().replace(BYTE_ORDER_MARK, '');
  const start = text.trimStart();
  if (start.startsWith('{')) return { format: 'ndjson' };
  if (start.startsWith('[')) {
    throw new ImportRefused(
      `${name}: is a JSON array. Write one object per line (NDJSON): jq -c '.[]' FILE`,
    );
  }
  return csvForm(name, text, head.length >= HEAD_BYTES, expected);
}

function csvForm(
  name: string,
  text: string,
  goesOn: boolean,
  expected: readonly string[],
): FileForm {
  const known = (cells: readonly string[]) =>
    cells.filter((cell) => expected.includes(cell)).length;
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  if (header.length === text.length && goesOn) {
    throw new ImportRefused(`${name}: its first line is too long to be a header.`);
  }
  if (/^\r[^\n]/.test(text.slice(header.length))) {
    throw new ImportRefused(
      `${name}: its lines end with carriage returns alone. Convert them: tr '\\r' '\\n' < FILE`,
    );
  }
  if (header.trim() === '') {
    throw new ImportRefused(
      `${name}: its first line is blank. A file begins with a header that names its columns.`,
    );
  }
  if (known(cellsOf(header, '\t')) > 1) {
    throw new ImportRefused(`${name}: has tabs between its columns. Write commas or semicolons.`);
  }
  const [comma, semicolon] = [cellsOf(header, ','), cellsOf(header, ';')];
  return known(semicolon) > known(comma)
    ? { format: 'csv', delimiter: ';', columns: semicolon }
    : { format: 'csv', delimiter: ',', columns: comma };
}

/** The names of the columns; an extra delimiter at the end, as some exports write, is ignored. */
function cellsOf(line: string, delimiter: string): readonly string[] {
  const cells = (csvCells(line, delimiter) ?? [line]).map((cell) => cell.trim());
  return cells.at(-1) === '' ? cells.slice(0, -1) : cells;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
