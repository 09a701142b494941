/** Lines of text as bytes, first in, first out: strings that wait for seconds would fill the old generation of V8. */

import { freeBuffer } from '../../disk/free-buffer.ts';

/** The first lines of a buffer. They may be read until they are removed, which frees their memory. */
export interface LineBatch {
  /** The lines in UTF-8, one after the other, each with its line break. */
  readonly parts: readonly Buffer[];
  /** The number of lines. */
  readonly count: number;
}

/** Bytes of memory for several lines; a longer line has its own. */
const CHUNK = 256 * 1024;

interface Chunk {
  readonly memory: Buffer;
  /** Where the first line begins and the last one ends. */
  start: number;
  end: number;
  count: number;
}

export interface LineBufferOptions {
  /** The maximum number of bytes of all lines. */
  readonly capacity: number;
  /** The maximum size of a batch in bytes; a longer line is a batch of its own. */
  readonly batchSize: number;
}

const LINE_BREAK = 10;

export class LineBuffer {
  readonly #options: LineBufferOptions;
  readonly #chunks: Chunk[] = [];
  /** The number of lines. */
  count = 0;
  /** Bytes of the lines, with their line breaks. */
  bytes = 0;

  constructor(options: LineBufferOptions) {
    this.#options = options;
  }

  /** Adds a line, unless the buffer is full. Returns whether it was added. */
  add(line: string): boolean {
    const size = Buffer.byteLength(line) + 1;
    if (this.bytes + size > this.#options.capacity) return false;
    const chunk = this.#chunkFor(size);
    chunk.memory.write(line, chunk.end);
    chunk.end += size;
    chunk.memory[chunk.end - 1] = LINE_BREAK;
    chunk.count += 1;
    this.count += 1;
    this.bytes += size;
    return true;
  }

  /** The first lines. A batch consists of whole chunks. */
  batch(): LineBatch {
    const parts: Buffer[] = [];
    let bytes = 0;
    let count = 0;
    for (const chunk of this.#chunks) {
      bytes += chunk.end - chunk.start;
      if (parts.length > 0 && bytes > this.#options.batchSize) break;
      parts.push(chunk.memory.subarray(chunk.start, chunk.end));
      count += chunk.count;
    }
    return { parts, count };
  }

  /** Removes the lines of a batch, and frees their memory. Lines that were added meanwhile stay. */
  remove({ parts, count }: LineBatch): void {
    let left = count;
    for (const { length } of parts) {
      const [chunk] = this.#chunks;
      if (chunk === undefined) break;
      const removed = Math.min(chunk.count, left);
      chunk.start += length;
      chunk.count -= removed;
      left -= removed;
      this.bytes -= length;
      if (chunk.start === chunk.end) {
        this.#chunks.shift();
        freeBuffer(chunk.memory);
      }
    }
    this.count -= count;
  }

  clear(): void {
    this.#chunks.length = 0;
    this.count = 0;
    this.bytes = 0;
  }

  #chunkFor(size: number): Chunk {
    const last = this.#chunks.at(-1);
    if (last !== undefined && last.memory.length - last.end >= size) return last;
    const memory = Buffer.allocUnsafeSlow(Math.max(Math.min(CHUNK, this.#options.batchSize), size));
    const chunk = { memory, start: 0, end: 0, count: 0 };
    this.#chunks.push(chunk);
    return chunk;
  }
}
