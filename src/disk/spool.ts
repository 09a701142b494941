/**
 * Reads as fast as the source gives, whatever the pace of the reader.
 *
 * Whoever has a turn with the engine keeps it only as long as the engine needs. What is too much for
 * the memory waits in a file that has no name any more, so nothing is left of it whatever happens.
 */

import type { FileHandle } from 'node:fs/promises';
import type { ExportFiles } from './export-files.ts';
import { freeBuffer } from './free-buffer.ts';

/** Bytes that wait in memory; far more than almost every answer has. */
const MOST_IN_MEMORY = 8 * 1024 * 1024;

/** Bytes that are read back at a time. */
const PIECE = 1024 * 1024;

/** Gives nothing before it is known that the disk has room for what the memory has not. */
export async function* readAhead(
  source: AsyncIterable<Uint8Array>,
  files: ExportFiles,
  mostInMemory = MOST_IN_MEMORY,
): AsyncGenerator<Uint8Array> {
  const waiting = new Waiting(files, mostInMemory);
  const reading = waiting.fill(source);
  try {
    await waiting.hasRoom;
    for (let next = await waiting.next(); next !== undefined; next = await waiting.next()) {
      yield next;
    }
  } finally {
    // What is still being opened or written can only be closed after it.
    await waiting.stop().finally(async () => {
      await reading;
      await waiting.close();
    });
  }
}

/** What was read and not yet taken: the first of it in memory, all that came after on the disk. */
class Waiting {
  readonly #files: ExportFiles;
  readonly #mostInMemory: number;
  readonly #blocks: Uint8Array[] = [];
  #inMemory = 0;
  #file: FileHandle | undefined;
  #written = 0;
  #taken = 0;
  #source: AsyncIterator<Uint8Array> | undefined;
  #end: { readonly failure?: unknown } | undefined;
  #changed = Promise.withResolvers<void>();

  readonly #room = Promise.withResolvers<void>();
  /** Fulfilled as soon as a file is open or none is needed any more. */
  readonly hasRoom = this.#room.promise;

  constructor(files: ExportFiles, mostInMemory: number) {
    this.#files = files;
    this.#mostInMemory = mostInMemory;
  }

  /** Takes all that the source has; its failure is heard by whoever takes the next block. */
  async fill(source: AsyncIterable<Uint8Array>): Promise<void> {
    this.#source = source[Symbol.asyncIterator]();
    try {
      for (let next = await this.#source.next(); !next.done; next = await this.#source.next()) {
        await this.#add(next.value);
        this.#tell();
      }
      this.#end = {};
    } catch (failure) {
      this.#end = { failure };
    }
    this.#room.resolve();
    this.#tell();
  }

  /** The next block, as soon as there is one; undefined after the last. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      if (this.#end !== undefined && 'failure' in this.#end) throw this.#end.failure;
      const block = this.#blocks.shift();
      if (block !== undefined) {
        this.#inMemory -= block.length;
        return block;
      }
      if (this.#taken < this.#written) return await this.#fromFile();
      if (this.#end !== undefined) return undefined;
      this.#changed = Promise.withResolvers<void>();
      await this.#changed.promise;
    }
  }

  /** Stops the source: also one that could give more when what it gave could not be kept. */
  async stop(): Promise<void> {
    await this.#source?.return?.();
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  #tell(): void {
    this.#changed.resolve();
  }

  async #add(block: Uint8Array): Promise<void> {
    const isRoom = this.#inMemory + block.length <= this.#mostInMemory;
    if (this.#file === undefined && (isRoom || this.#blocks.length === 0)) {
      this.#blocks.push(block);
      this.#inMemory += block.length;
      return;
    }
    this.#file ??= await this.#files.empty();
    this.#room.resolve();
    await this.#files.append(this.#file, block);
    this.#written += block.length;
    freeBuffer(block);
  }

  async #fromFile(): Promise<Uint8Array> {
    const length = Math.min(PIECE, this.#written - this.#taken);
    const piece = Buffer.allocUnsafeSlow(length);
    const read = await this.#file?.read(piece, 0, length, this.#taken);
    if (read?.bytesRead !== length) throw new Error('A part of an answer is not on the disk.');
    this.#taken += length;
    return piece;
  }
}
