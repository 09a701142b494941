/**
 * Keeps answers from beginning while an import becomes visible server by server.
 *
 * Whoever publishes says so in `imports` and waits until every process that reads has noticed: each
 * looks there before it reads, at most once in a while.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { freeBuffer } from '../disk/free-buffer.ts';
import type { Engine, Reader, Servers } from '../engine/engine.ts';
import { ANY_ROW, type Select, select } from '../plan/select.ts';
import { command, type Statement } from '../plan/sql.ts';
import { localTable, type Topology } from '../schema/topology.ts';

/** Milliseconds for which a look is believed. */
const LOOK = 1000;

/** Milliseconds after which every reader has noticed what is published: a look, and time to begin. */
export const NOTICE = 2 * LOOK;

/** Milliseconds between two looks while something is being published. */
const NEXT_LOOK = 50;

/** Milliseconds after which a publisher is taken for dead, and nobody waits for it any more. */
const LONGEST = 30_000;

/** How answers are read where the tables lie like this: one server publishes at one moment by itself. */
export const readerOf = (engine: Engine, topology: Topology): Reader =>
  topology.cluster === undefined
    ? engine
    : new BarrierReader(engine, {
        readers: engine.each(),
        partOf: (table) => localTable(topology, table),
      });

export class BarrierReader implements Reader {
  readonly servers: Servers | undefined;
  readonly #reader: Reader;
  #openUntil = 0;
  #opening: Promise<void> | undefined;

  constructor(reader: Reader, servers?: Servers) {
    this.#reader = reader;
    this.servers = servers;
  }

  get isContended(): boolean {
    return this.#reader.isContended === true;
  }

  async *read(statement: Statement, signal: AbortSignal): AsyncIterable<Uint8Array> {
    for (;;) {
      const looked = await this.#opened(signal);
      const blocks = this.#reader.read(statement, signal)[Symbol.asyncIterator]();
      try {
        const first = await blocks.next();
        if (await this.#isWholeSince(looked)) {
          for (let next = first; !next.done; next = await blocks.next()) yield next.value;
          return;
        }
        if (!first.done) freeBuffer(first.value);
      } finally {
        await blocks.return?.();
      }
    }
  }

  async rows<Row>(statement: Select<Row>, signal?: AbortSignal): Promise<readonly Row[]> {
    // The service's own questions are not about what is imported, and wait for nobody.
    if (!statement.isAggregation) return await this.#reader.rows(statement, signal);
    for (;;) {
      const looked = await this.#opened(signal);
      const rows = await this.#reader.rows(statement, signal);
      if (await this.#isWholeSince(looked)) return rows;
    }
  }

  /** Waits until nothing is published; returns the moment of the look that said so. */
  async #opened(signal?: AbortSignal): Promise<number> {
    if (performance.now() > this.#openUntil) await this.#open();
    signal?.throwIfAborted();
    return this.#openUntil - LOOK;
  }

  async #open(): Promise<void> {
    this.#opening ??= this.#untilNothingIsPublished().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  async #untilNothingIsPublished(): Promise<void> {
    for (;;) {
      const looked = performance.now();
      if (!(await this.#isNoted(LONGEST, "AND state = 'publishing'"))) {
        this.#openUntil = looked + LOOK;
        return;
      }
      await delay(NEXT_LOOK);
    }
  }

  /**
   * Whether an answer that has begun by now saw all of each import or nothing.
   *
   * One that waited for its turn may have begun while an import was published that the look before
   * it could not see.
   */
  async #isWholeSince(looked: number): Promise<boolean> {
    const elapsed = performance.now() - looked;
    // Half as long again, as the clocks of the servers differ.
    return elapsed < NOTICE || !(await this.#isNoted(1.5 * elapsed));
  }

  async #isNoted(milliseconds: number, condition = ''): Promise<boolean> {
    const rows = await this.#reader.rows(
      select(
        ANY_ROW,
        command(`SELECT 1 FROM imports FINAL
WHERE at > now64(3, 'UTC') - INTERVAL ${Math.ceil(milliseconds)} MILLISECOND ${condition} LIMIT 1`),
      ),
    );
    return rows.length > 0;
  }
}
