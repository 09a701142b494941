/** Limits how many queries of each class run on the servers at a time. */

import { Semaphore } from '../../concurrency/semaphore.ts';
import type { Statement } from '../../plan/sql.ts';
import { type QueryClass, type QueryUsage, valuesByClass } from '../query-class.ts';
import { asEngineBusy, QUERY_LIMITS, queryClassOf } from '../query-limits.ts';

const semaphoreFor = (queries: QueryClass): Semaphore => {
  const { size, sizePerClient, maxQueue } = QUERY_LIMITS[queries];
  return new Semaphore({
    permits: size,
    permitsPerClient: sizePerClient,
    maxQueue,
    isPaced: true,
  });
};

export class QuerySemaphores {
  readonly #semaphores = valuesByClass(semaphoreFor);

  /** Whether lists wait until other lists end. */
  get isContended(): boolean {
    return this.#semaphores.list.isContended;
  }

  get usage(): QueryUsage {
    return valuesByClass((name) => this.#semaphores[name].usage);
  }

  /** Starts to read when a permit is free, and keeps the permit until the reader is done. */
  async *read<Block>(
    statement: Statement,
    signal: AbortSignal,
    start: () => AsyncIterable<Block>,
  ): AsyncGenerator<Block> {
    const semaphore = this.#semaphores[queryClassOf(statement)];
    const { priority, client } = statement;
    await semaphore.acquire({ signal, priority, client }).catch((error: unknown) => {
      throw asEngineBusy(error);
    });
    try {
      yield* start();
    } finally {
      semaphore.release(client);
    }
  }
}
