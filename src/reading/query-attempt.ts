/** One statement's blocks, as far as the engine and the reader come. */

import { freeBuffer } from '../disk/free-buffer.ts';
import type { Reader } from '../engine/engine.ts';
import type { RowBoundaries, RowStatement } from '../plan/sql.ts';
import { lastRecordOf, type Mark } from './last-record.ts';

/** Milliseconds that a reader may take for a block before the engine is let go. */
const PATIENCE = 250;
/** The same while others wait for it. */
const LITTLE_PATIENCE = 50;

/** Milliseconds that a stream keeps the engine while others wait for it. */
const TURN = 250;

export class Run {
  readonly #reader: Reader;
  readonly #blocks: AsyncIterator<Uint8Array>;
  readonly #marks: RowBoundaries;
  readonly #started = performance.now();
  /** The next block, asked for while one is sent, so that engine and connection work at once. */
  #ahead: Promise<IteratorResult<Uint8Array>>;
  last: Mark | undefined;
  wasLetGo = false;

  constructor(reader: Reader, statement: RowStatement, signal: AbortSignal) {
    this.#reader = reader;
    this.#marks = statement.boundaries;
    this.#blocks = reader.read(statement, signal)[Symbol.asyncIterator]();
    this.#ahead = this.#askAhead();
  }

  async *blocks(): AsyncGenerator<Uint8Array> {
    try {
      while (!this.wasLetGo) {
        const { done, value } = await this.#ahead;
        if (done) return;
        this.last = lastRecordOf(value, this.#marks);
        this.#ahead = this.#askAhead();
        yield* this.#patiently(value);
        if (this.#hadItsTurn()) this.wasLetGo = true;
      }
    } finally {
      await this.#letGo();
    }
  }

  /** Asks for the next block; its failure is heard when its turn comes, which may be a while after. */
  #askAhead(): Promise<IteratorResult<Uint8Array>> {
    const ahead = this.#blocks.next();
    ahead.catch(() => undefined);
    return ahead;
  }

  #hadItsTurn(): boolean {
    return this.#reader.isContended === true && performance.now() - this.#started > TURN;
  }

  /** Hands over a block; lets go of the engine where the reader takes too long for it. */
  async *#patiently(block: Uint8Array): AsyncGenerator<Uint8Array> {
    const handedOver = performance.now();
    const watch = setInterval(() => {
      const patience = this.#reader.isContended ? LITTLE_PATIENCE : PATIENCE;
      if (performance.now() - handedOver < patience) return;
      clearInterval(watch);
      this.wasLetGo = true;
      // A query that fails as it is let go of is over as well.
      this.#letGo().catch(() => undefined);
    }, LITTLE_PATIENCE);
    try {
      yield block;
    } finally {
      clearInterval(watch);
    }
  }

  async #letGo(): Promise<void> {
    this.#ahead.then(dropped, () => undefined);
    await this.#blocks.return?.();
  }
}

/** A block that was asked for and that nobody takes any more. */
function dropped({ value }: IteratorResult<Uint8Array, Uint8Array | undefined>): void {
  if (value !== undefined) freeBuffer(value);
}
