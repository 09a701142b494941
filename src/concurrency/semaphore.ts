/** Bounds how many questions the servers are asked at a time: each waits for its turn. */

import type { Priority } from '../plan/sql.ts';
import { Pool, type PoolOptions } from './pool.ts';

export class Semaphore {
  readonly #pool: Pool<undefined>;

  constructor(options: Omit<PoolOptions<undefined>, 'open'>) {
    this.#pool = new Pool({ ...options, open: () => undefined });
  }

  /** Whether somebody waits for a turn. */
  get isContended(): boolean {
    return this.#pool.isContended;
  }

  /** Asks as soon as there is a turn, which lasts until the answer has ended or is left. */
  async *reading<Item>(
    ask: () => AsyncIterable<Item>,
    signal: AbortSignal,
    rank?: Priority,
  ): AsyncGenerator<Item> {
    const turn = await this.#pool.lend(signal, rank);
    try {
      yield* ask();
    } finally {
      this.#pool.giveBack(turn);
    }
  }
}
