/**
 * One attempt to read a statement, which ends early if the engine fails, the client stalls, or the query has run
 * for too long while other queries wait.
 */

import { freeBuffer } from '../disk/free-buffer.ts';
import type { Reader } from '../engine/engine.ts';
import type { RowBoundaries, RowStatement } from '../plan/sql.ts';
import { type LastRecord, lastRecordOf } from './last-record.ts';

/** Milliseconds that a client may take for a block before the engine is released. */
const STALL_LIMIT = 250;
/** The shorter limit that applies while other queries wait, in milliseconds. */
const CONTENDED_STALL_LIMIT = 50;

/**
 * Milliseconds after which a query makes room for others that wait. They include the query's own time in the
 * queue: without that time, neither downloads nor small pages became faster (`npm run bench -- readers`).
 */
const TIME_SLICE = 250;

export class QueryAttempt {
  readonly #reader: Reader;
  readonly #blocks: AsyncIterator<Uint8Array>;
  readonly #boundaries: RowBoundaries;
  readonly #started = performance.now();
  /** The next block is read while one is sent, so that engine and connection work at the same time. */
  #ahead: Promise<IteratorResult<Uint8Array>>;
  last: LastRecord | undefined;
  /** Whether the engine was released before the last block. */
  wasReleased = false;

  constructor(reader: Reader, statement: RowStatement, signal: AbortSignal) {
    this.#reader = reader;
    this.#boundaries = statement.boundaries;
    this.#blocks = reader.read(statement, signal)[Symbol.asyncIterator]();
    this.#ahead = this.#readAhead();
  }

  async *blocks(): AsyncGenerator<Uint8Array> {
    try {
      while (!this.wasReleased) {
        const { done, value } = await this.#ahead;
        if (done) return;
        this.last = lastRecordOf(value, this.#boundaries);
        this.#ahead = this.#readAhead();
        yield* this.#watchingStalls(value);
        if (this.#isTimeUp()) this.wasReleased = true;
      }
    } finally {
      await this.#release();
    }
  }

  /** A failure is thrown only when the block is awaited, which may be later. */
  #readAhead(): Promise<IteratorResult<Uint8Array>> {
    const ahead = this.#blocks.next();
    ahead.catch(() => undefined);
    return ahead;
  }

  #isTimeUp(): boolean {
    return this.#reader.isContended === true && performance.now() - this.#started > TIME_SLICE;
  }

  /** Yields a block, and releases the engine if the client takes too long for it. */
  async *#watchingStalls(block: Uint8Array): AsyncGenerator<Uint8Array> {
    const yielded = performance.now();
    const watch = setInterval(() => {
      const limit = this.#reader.isContended ? CONTENDED_STALL_LIMIT : STALL_LIMIT;
      if (performance.now() - yielded < limit) return;
      clearInterval(watch);
      this.wasReleased = true;
      // The attempt is over, so a failure no longer matters.
      this.#release().catch(() => undefined);
    }, CONTENDED_STALL_LIMIT);
    try {
      yield block;
    } finally {
      clearInterval(watch);
    }
  }

  async #release(): Promise<void> {
    this.#ahead.then(freeBlock, () => undefined);
    await this.#blocks.return?.();
  }
}

/** Frees a block that was read ahead and is not needed. */
function freeBlock({ value }: IteratorResult<Uint8Array, Uint8Array | undefined>): void {
  if (value !== undefined) freeBuffer(value);
}
