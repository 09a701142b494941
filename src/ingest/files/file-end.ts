/** Looks at the end of a CSV file, where the engine takes a quoted cell for whole that is cut off. */

import { open } from 'node:fs/promises';
import { csvCells } from './csv-rows.ts';
import { contentOf } from './file-content.ts';
import type { SourceFile } from './source-file.ts';

/** A last line that is longer is not believed to be one. */
const TAIL_BYTES = 65_536;

/** Whether the last line leaves no quote open; false also where that cannot be told. */
export async function isLastLineWhole(source: SourceFile, delimiter: string): Promise<boolean> {
  const tail = source.compression === 'none' ? await tailOf(source) : await unpackedTailOf(source);
  const start = tail.lastIndexOf('\n') + 1;
  if (start === 0 && tail.length >= TAIL_BYTES) return false;
  return csvCells(tail.toString('latin1', start), delimiter) !== undefined;
}

async function tailOf({ path, bytes }: SourceFile): Promise<Buffer> {
  await using file = await open(path);
  const length = Math.min(bytes, TAIL_BYTES);
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(length),
    0,
    length,
    Math.max(0, bytes - length),
  );
  return buffer.subarray(0, bytesRead);
}

async function unpackedTailOf(source: SourceFile): Promise<Buffer> {
  let tail = Buffer.alloc(0);
  for await (const chunk of contentOf(source) as AsyncIterable<Buffer>) {
    tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
  }
  return tail;
}
