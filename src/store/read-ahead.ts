/**
 * Reads as fast as the source gives, whatever the pace of the reader.
 *
 * Whoever has a turn with the engine keeps it only as long as the engine needs. What is too much for
 * the memory waits in a file that has no name any more, so nothing is left of it whatever happens.
 */

import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { release } from './release.ts';

/** Bytes that wait in memory; far more than almost every answer has. */
const MOST_IN_MEMORY = 8 * 1024 * 1024;

/** Bytes that are read back at a time. */
const PIECE = 1024 * 1024;

export async function* readAhead(
  source: AsyncIterable<Uint8Array>,
  mostInMemory = MOST_IN_MEMORY,
): AsyncGenerator<Uint8Array> {
  const waiting = new Waiting(mostInMemory);
  const reading = waiting.fill(source);
  try {
    for (let next = await waiting.next(); next !== undefined; next = await waiting.next()) {
      yield next;
    }
  } finally {
    await waiting.leave();
    await reading;
  }
}

/** What was read and not yet taken: the first of it in memory, all that came after on the disk. */
class Waiting {
  readonly #mostInMemory: number;
  readonly #blocks: Uint8Array[] = [];
  #inMemory = 0;
  #file: FileHandle | undefined;
  #written = 0;
  #taken = 0;
  #source: AsyncIterator<Uint8Array> | undefined;
  #end: { readonly failure?: unknown } | undefined;
  #changed = Promise.withResolvers<void>();

  constructor(mostInMemory: number) {
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

  /** Stops the source where it has not ended. */
  async leave(): Promise<void> {
    if (this.#end === undefined) await this.#source?.return?.();
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
    this.#file ??= await namelessFile();
    await this.#file.appendFile(block);
    this.#written += block.length;
    release(block);
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

async function namelessFile(): Promise<FileHandle> {
  const directory = await mkdtemp(join(tmpdir(), 'transactions-answer-'));
  try {
    return await open(join(directory, 'answer'), 'wx+', 0o600);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
