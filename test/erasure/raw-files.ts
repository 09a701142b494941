/** Searches the files of a database for bytes, also inside the blocks that ClickHouse compresses. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';

/** How often a search begins again because the engine has renamed or deleted a file meanwhile. */
const MAX_RESTARTS = 50;

/** The files below a directory that have any of the texts, with the text that was found. */
export async function filesWith(
  directory: string,
  texts: readonly (string | Uint8Array)[],
): Promise<readonly string[]> {
  for (let restarts = 0; ; restarts += 1) {
    try {
      return await search(directory, texts);
    } catch (error) {
      // The content may be in a file with another name now, such as the result of a merge.
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone || restarts === MAX_RESTARTS) throw error;
    }
  }
}

async function search(
  directory: string,
  texts: readonly (string | Uint8Array)[],
): Promise<readonly string[]> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    const bytes = await readFile(path);
    const contents = [bytes, decompressed(bytes)];
    for (const text of texts) {
      if (contents.some((content) => content.includes(text))) found.push(`${path}: ${text}`);
    }
  }
  return found;
}

/** Bytes of the checksum before each block. */
const CHECKSUM = 16;
/** Bytes of the header of a block: its method, its compressed size and its plain size. */
const HEADER = 9;

const METHODS = { none: 0x02, lz4: 0x82, zstd: 0x90 } as const;

/** The content of a file of compressed blocks; empty for a file of another form. */
export function decompressed(file: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at + CHECKSUM + HEADER <= file.length; ) {
    const start = at + CHECKSUM;
    const method = file.readUInt8(start);
    const end = start + file.readUInt32LE(start + 1);
    const size = file.readUInt32LE(start + 5);
    if (!Object.values<number>(METHODS).includes(method) || end > file.length || end <= start) {
      return Buffer.alloc(0);
    }
    blocks.push(blockOf(method, file.subarray(start + HEADER, end), size));
    at = end;
  }
  return Buffer.concat(blocks);
}

function blockOf(method: number, compressed: Buffer, size: number): Buffer {
  if (method === METHODS.none) return compressed;
  return method === METHODS.zstd ? zstdDecompressSync(compressed) : lz4Block(compressed, size);
}

/** Decodes a block in the LZ4 block format. It alternates literals and matches, which repeat earlier output. */
function lz4Block(input: Buffer, size: number): Buffer {
  const output = Buffer.alloc(size);
  let at = 0;
  let written = 0;
  const length = (nibble: number): number => {
    let all = nibble;
    if (nibble < 15) return all;
    for (let more = 255; more === 255; all += more) more = input[at++] ?? 0;
    return all;
  };
  while (at < input.length) {
    const token = input[at++] ?? 0;
    const literals = length(token >> 4);
    input.copy(output, written, at, at + literals);
    at += literals;
    written += literals;
    if (at >= input.length) break;
    const distance = input.readUInt16LE(at);
    at += 2;
    const matched = length(token & 15) + 4;
    // A match may overlap its own output, so it is copied byte by byte.
    for (const end = written + matched; written < end; written += 1) {
      output[written] = output[written - distance] ?? 0;
    }
  }
  return output;
}
