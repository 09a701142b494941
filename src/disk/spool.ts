/**
 * Spools a stream: reads it at full speed, however slow the consumer is.
 *
 * The producer is done as soon as possible. Blocks wait in memory up to a limit, and beyond it in an
 * unlinked temporary file.
 */

import type { ClientFiles, TemporaryFile } from './export-files.ts';
import { freeBuffer } from './free-buffer.ts';

/** The maximum number of bytes that wait in memory. Few responses are larger. */
const MEMORY_LIMIT = 8 * 1024 * 1024;

/** Bytes that are read back from the file at a time. */
const READ_SIZE = 1024 * 1024;

/**
 * Yields the first block only when the whole input is known to fit in memory, or when the file is open. So if
 * no file can be created, the response fails before its first byte.
 */
export async function* spool(
  input: AsyncIterable<Uint8Array>,
  files: ClientFiles,
  memoryLimit = MEMORY_LIMIT,
): AsyncGenerator<Uint8Array> {
  const buffer = new SpoolBuffer(files, memoryLimit);
  const filling = buffer.fill(input);
  try {
    await buffer.spaceReady;
    for (let next = await buffer.next(); next !== undefined; next = await buffer.next()) {
      yield next;
    }
  } finally {
    // The file is closed only after the last write.
    await buffer.stop().finally(async () => {
      await filling;
      await buffer.close();
    });
  }
}

/** The blocks that the consumer has not taken yet. They wait in memory. Once a file is open, new ones go into it. */
class SpoolBuffer {
  readonly #files: ClientFiles;
  readonly #memoryLimit: number;
  readonly #blocks: Uint8Array[] = [];
  #inMemory = 0;
  #file: TemporaryFile | undefined;
  #written = 0;
  #taken = 0;
  #input: AsyncIterator<Uint8Array> | undefined;
  #end: { readonly failure?: unknown } | undefined;
  #changed = Promise.withResolvers<void>();

  readonly #space = Promise.withResolvers<void>();
  /** Resolves as soon as the temporary file is open, or is known not to be needed. */
  readonly spaceReady = this.#space.promise;

  constructor(files: ClientFiles, memoryLimit: number) {
    this.#files = files;
    this.#memoryLimit = memoryLimit;
  }

  /** Reads the whole input. Its failure is thrown by `next`. */
  async fill(input: AsyncIterable<Uint8Array>): Promise<void> {
    this.#input = input[Symbol.asyncIterator]();
    try {
      for (let next = await this.#input.next(); !next.done; next = await this.#input.next()) {
        await this.#add(next.value);
        this.#changed.resolve();
      }
      this.#end = {};
    } catch (failure) {
      this.#end = { failure };
    }
    this.#space.resolve();
    this.#changed.resolve();
  }

  /** Waits for the next block; undefined after the last. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      if (this.#end !== undefined && 'failure' in this.#end) throw this.#end.failure;
      const block = this.#blocks.shift();
      if (block !== undefined) {
        this.#inMemory -= block.length;
        return block;
      }
      if (this.#taken < this.#written) return await this.#readBack();
      if (this.#end !== undefined) return undefined;
      this.#changed = Promise.withResolvers<void>();
      await this.#changed.promise;
    }
  }

  /** Stops the input, also when a block could not be written. */
  async stop(): Promise<void> {
    await this.#input?.return?.();
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #add(block: Uint8Array): Promise<void> {
    const fits = this.#inMemory + block.length <= this.#memoryLimit;
    if (this.#file === undefined && (fits || this.#blocks.length === 0)) {
      this.#blocks.push(block);
      this.#inMemory += block.length;
      return;
    }
    this.#file ??= await this.#files.create();
    this.#space.resolve();
    await this.#files.append(this.#file, block);
    this.#written += block.length;
    freeBuffer(block);
  }

  async #readBack(): Promise<Uint8Array> {
    const length = Math.min(READ_SIZE, this.#written - this.#taken);
    const block = Buffer.allocUnsafeSlow(length);
    const read = await this.#file?.file.read(block, 0, length, this.#taken);
    if (read?.bytesRead !== length) throw new Error('The spool file is shorter than was written.');
    this.#taken += length;
    return block;
  }
}
