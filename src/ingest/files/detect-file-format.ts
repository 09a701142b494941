/** Detects the compression, format and delimiter of a file from its first bytes. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { delimiterOf, headerCells } from '../dialect/delimiter.ts';
import type { Delimiter } from '../dialect/dialect.ts';
import { ImportRefused } from '../import-refused.ts';
import { contentOf } from './file-content.ts';
import { KNOWN_COLUMNS } from './known-columns.ts';
import type { Compression, FileForm, SourceFile } from './source-file.ts';

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const PARQUET = Buffer.from('PAR1');
const UTF_16 = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];
const BYTE_ORDER_MARK = '\uFEFF';

/** Lines by which the delimiter is recognised. */
const SAMPLE_LINES = 20;

/** The maximum size of a header. */
const HEAD_BYTES = 65_536;

interface CsvWishes {
  /** The column names by which the delimiter of CSV is recognised. */
  readonly expected?: readonly string[];
  /** The delimiter, if the user says it. */
  readonly delimiter?: Delimiter | undefined;
}

export async function detectFileFormat(
  path: string,
  name: string,
  wishes: CsvWishes = {},
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
  return { name, path, bytes: file.size, compression, form: formOf(name, head, wishes) };
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

function formOf(name: string, head: Buffer, wishes: CsvWishes): FileForm {
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
  return csvForm(name, text, head.length >= HEAD_BYTES, wishes);
}

function csvForm(
  name: string,
  text: string,
  goesOn: boolean,
  { expected = KNOWN_COLUMNS, delimiter: stated }: CsvWishes,
): FileForm {
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
  const delimiter = stated ?? delimiterOf(text.split(/\r?\n/).slice(0, SAMPLE_LINES), expected);
  return { format: 'csv', delimiter, columns: headerCells(header, delimiter) };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
