/** Detects the compression, encoding, format and delimiter of a file from its first bytes. */

import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { delimiterOf, headerCells } from '../dialect/delimiter.ts';
import type { Delimiter } from '../dialect/dialect.ts';
import { detectEncoding } from '../dialect/encoding.ts';
import { ImportRefused } from '../import-refused.ts';
import { contentOf } from './file-content.ts';
import { requireObjectPerLine } from './json/one-object-per-line.ts';
import { KNOWN_COLUMNS } from './known-columns.ts';
import type { Compression, SourceFile, SourceForm } from './source-file.ts';

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** The end of the magic number of a skippable frame of zstd (RFC 8878), whose first byte is 0x50 to 0x5F. */
const SKIPPABLE = Buffer.from([0x2a, 0x4d, 0x18]);
const PARQUET = Buffer.from('PAR1');
/** An Excel workbook is a ZIP archive (.xlsx) or a compound file (.xls). */
const ZIP = Buffer.from('PK\x03\x04');
const COMPOUND_FILE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

/** Lines by which the delimiter is recognised. */
const SAMPLE_LINES = 20;

/** Bytes of a file that are read to detect its form. The header must be shorter. */
const HEAD_BYTES = 65_536;

interface TextHints {
  /** The column names by which the delimiter of CSV is recognised. */
  readonly expected?: readonly string[];
  /** The delimiter, if the user says it. */
  readonly delimiter?: Delimiter | undefined;
  /** The encoding, if the user says it. */
  readonly encoding?: string | undefined;
}

export async function detectFileFormat(
  path: string,
  name: string,
  wishes: TextHints = {},
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
  const found = { name, path, bytes: file.size, compression };
  if (head.subarray(0, 4).equals(PARQUET)) return { ...found, form: { format: 'parquet' } };
  refuseWorkbook(name, head);
  const detected = detectEncoding(head, wishes.encoding);
  if (detected === 'unknown') refuseUnknownHeader(name, head);
  const encoding = ['utf-8', 'unknown'].includes(detected) ? undefined : detected;
  const text = new TextDecoder(encoding).decode(head, { stream: true });
  const form = formOf(name, text, head.length >= HEAD_BYTES, wishes);
  return { ...found, ...(encoding && { encoding }), form };
}

function refuseWorkbook(name: string, head: Buffer): void {
  const isZip = head.subarray(0, 4).equals(ZIP);
  if (!isZip && !head.subarray(0, 4).equals(COMPOUND_FILE)) return;
  const isWorkbook = !isZip || head.includes('xl/') || head.includes('[Content_Types].xml');
  throw new ImportRefused(
    isWorkbook
      ? `${name}: is an Excel workbook. Open it, save the sheet as "CSV UTF-8", and import that file.`
      : `${name}: is a ZIP archive. Import the files in it: unzip -p FILE | transactions import -`,
  );
}

/**
 * Refuses a file in an unknown encoding if its header is not UTF-8, because the names of columns must be readable.
 * Invalid text in other lines is not refused here: it is reported with its line.
 */
function refuseUnknownHeader(name: string, head: Buffer): void {
  if (isUtf8(head.subarray(0, Math.max(0, head.indexOf('\n'))))) return;
  throw new ImportRefused(
    `${name}: is neither UTF-8 nor UTF-16. Name its encoding, such as --encoding windows-1252 (Western Europe), windows-1250 (Central Europe) or macintosh`,
  );
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
  return head.equals(ZSTD) || isSkippable(head) ? 'zstd' : 'none';
}

/** Whether a file begins with a skippable frame, as those of pzstd do. */
const isSkippable = (head: Buffer): boolean =>
  head.subarray(1).equals(SKIPPABLE) && head.readUInt8() >> 4 === 5;

function formOf(name: string, text: string, goesOn: boolean, wishes: TextHints): SourceForm {
  const start = text.trimStart();
  if (start.startsWith('{')) {
    const lines = text.split('\n');
    requireObjectPerLine(name, goesOn ? lines.slice(0, -1) : lines);
    return { format: 'ndjson' };
  }
  if (start.startsWith('[')) {
    throw new ImportRefused(
      `${name}: is a JSON array. Write one object per line (NDJSON): jq -c '.[]' FILE`,
    );
  }
  return csvForm(name, text, goesOn, wishes);
}

function csvForm(
  name: string,
  text: string,
  goesOn: boolean,
  { expected = KNOWN_COLUMNS, delimiter: stated }: TextHints,
): SourceForm {
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  if (header.length === text.length && goesOn) {
    throw new ImportRefused(
      `${name}: its first line is too long to be a header: it has at least 64 KiB. A file begins with a header that names its columns.`,
    );
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
