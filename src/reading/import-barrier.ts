/**
 * Delays queries while an import becomes visible, one server after another.
 *
 * An import announces its publication in the table `imports` and waits until every process has
 * noticed. Each process reads that table before its queries, at most once a second.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { freeBuffer } from '../disk/free-buffer.ts';
import { type Engine, EngineBusy, type Reader, type Servers } from '../engine/engine.ts';
import { ANY_ROW, type Select, select } from '../plan/select.ts';
import { plainStatement, type Statement } from '../plan/sql.ts';
import { localTable, type Topology } from '../schema/topology.ts';
import {
  CHECK_TTL,
  CLOCK_TOLERANCE,
  NOTICE_DELAY,
  PUBLICATION_TIMEOUT,
} from './publication-times.ts';

/** Milliseconds between two checks during a publication. */
const CHECK_INTERVAL = 50;

/** How often a query is read. Imports that follow each other closely could overtake it every time. */
const MAX_READINGS = 3;

/** The reader of a database. A single server publishes atomically and needs no barrier. */
export const databaseReader = (engine: Engine, topology: Topology): Reader =>
  topology.cluster === undefined
    ? engine
    : new BarrierReader(engine, {
        readers: engine.each(),
        localTableOf: (table) => localTable(topology, table),
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
    for (let reading = 1; reading <= MAX_READINGS; reading += 1) {
      const checked = await this.#opened(signal);
      const blocks = this.#reader.read(statement, signal)[Symbol.asyncIterator]();
      try {
        const first = await blocks.next();
        if (await this.#isConsistentSince(checked, reading)) {
          for (let next = first; !next.done; next = await blocks.next()) yield next.value;
          return;
        }
        if (!first.done) freeBuffer(first.value);
      } finally {
        await blocks.return?.();
      }
    }
    throw overtaken();
  }

  async rows<Row>(statement: Select<Row>, signal?: AbortSignal): Promise<readonly Row[]> {
    // Here, statements that do not aggregate are lookups, which return no transactions.
    if (!statement.isAggregation) return await this.#reader.rows(statement, signal);
    for (let reading = 1; reading <= MAX_READINGS; reading += 1) {
      const checked = await this.#opened(signal);
      const rows = await this.#reader.rows(statement, signal);
      if (await this.#isConsistentSince(checked, reading)) return rows;
    }
    throw overtaken();
  }

  /** Waits until no publication is under way. Returns the time of the check. */
  async #opened(signal?: AbortSignal): Promise<number> {
    if (performance.now() > this.#openUntil) await this.#open();
    signal?.throwIfAborted();
    return this.#openUntil - CHECK_TTL;
  }

  async #open(): Promise<void> {
    this.#opening ??= this.#waitForPublications().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  async #waitForPublications(): Promise<void> {
    for (;;) {
      const checked = performance.now();
      if (!(await this.#hasPublication(PUBLICATION_TIMEOUT, "AND state = 'publishing'"))) {
        this.#openUntil = checked + CHECK_TTL;
        return;
      }
      await delay(CHECK_INTERVAL);
    }
  }

  /**
   * Whether a query that was sent after the check read each import whole or not at all.
   *
   * It may have waited in the queue, and started during a publication that began after the check.
   */
  async #isConsistentSince(checked: number, reading: number): Promise<boolean> {
    const elapsed = performance.now() - checked;
    if (elapsed < NOTICE_DELAY) return true;
    // Without tolerance in the last reading, so that one import before the first reading cannot end the query.
    const tolerance = reading < MAX_READINGS ? CLOCK_TOLERANCE : 0;
    // Looks back further than the elapsed time, because the clocks of the servers differ.
    return !(await this.#hasPublication(Math.max(1.5 * elapsed, elapsed + tolerance)));
  }

  async #hasPublication(milliseconds: number, condition = ''): Promise<boolean> {
    const rows = await this.#reader.rows(
      select(
        ANY_ROW,
        plainStatement(`SELECT 1 FROM imports FINAL
WHERE at > now64(3, 'UTC') - INTERVAL ${Math.ceil(milliseconds)} MILLISECOND ${condition} LIMIT 1`),
      ),
    );
    return rows.length > 0;
  }
}

const overtaken = (): EngineBusy =>
  new EngineBusy(
    undefined,
    `Imports became visible during each of ${MAX_READINGS} readings of a query. Import less often, or read a shorter period.`,
  );
