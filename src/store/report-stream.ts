/**
 * Reads a report as one stream of rendered records, however long it is and whatever happens to the
 * engine or the reader meanwhile.
 *
 * Records go out whole and in order, so the place of the last one is known. When the engine fails,
 * the stream goes on after it. When the reader stalls, it lets go of the engine and takes it up
 * again when the reader does.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Position } from '../plan/position.ts';
import type { ReportPlan } from '../plan/report-plan.ts';
import { boundsStatement, reportStatement } from '../plan/report-statement.ts';
import { isLong, slicesOf, within } from '../plan/slices.ts';
import { EngineBusy, EngineFailure, type Reader } from './engine.ts';
import { type PositionSource, positionAfter } from './last-record.ts';

/** How often a stream takes up an engine that failed, before it fails itself. */
const MOST_FAILURES = 8;

/** Milliseconds before the first new try; each further one waits twice as long, up to the longest. */
const FIRST_PAUSE = 25;
const LONGEST_PAUSE = 500;

/** Milliseconds that a reader may take for a block before the engine is let go. */
const PATIENCE = 250;

/** Milliseconds that a stream keeps the engine while others wait for it. */
const TURN = 1000;

/** Blocks of whole records, each of which begins with a comma and a new line. */
export async function* readReport(
  plan: ReportPlan,
  source: PositionSource,
  signal: AbortSignal,
): AsyncIterableIterator<Uint8Array> {
  const failures = new Failures(signal);
  const bounded = isLong(plan) ? await withinData(plan, source) : plan;
  for (const slice of slicesOf(bounded)) yield* readSlice(slice, source, failures, signal);
}

async function withinData(plan: ReportPlan, { reader }: PositionSource): Promise<ReportPlan> {
  const [bounds] = (await reader.rows(boundsStatement(plan))) as { first: number; last: number }[];
  return within(plan, bounds?.first ?? 0, bounds?.last ?? 0);
}

/** Reads a slice in as many runs as it takes, each after the last record of the one before. */
async function* readSlice(
  slice: ReportPlan,
  source: PositionSource,
  failures: Failures,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let after: Position | undefined;
  for (;;) {
    const plan = after === undefined ? slice : { ...slice, after };
    const run = new Run(source.reader, plan, signal);
    try {
      yield* run.blocks();
      if (!run.wasLetGo) return;
    } catch (error) {
      await failures.overcome(error, run.last !== undefined);
    }
    if (run.last !== undefined) after = await positionAfter(run.last, slice, source);
  }
}

/** One statement's blocks, as far as the engine and the reader come. */
class Run {
  readonly #reader: Reader;
  readonly #blocks: AsyncIterator<Uint8Array>;
  readonly #started = performance.now();
  last: Uint8Array | undefined;
  wasLetGo = false;

  constructor(reader: Reader, plan: ReportPlan, signal: AbortSignal) {
    this.#reader = reader;
    this.#blocks = reader.read(reportStatement(plan), signal)[Symbol.asyncIterator]();
  }

  async *blocks(): AsyncGenerator<Uint8Array> {
    try {
      while (!this.wasLetGo) {
        const next = await this.#blocks.next();
        if (next.done) return;
        this.last = next.value;
        yield* this.#patiently(next.value);
        this.wasLetGo ||= this.#hadItsTurn();
      }
    } finally {
      await this.#blocks.return?.();
    }
  }

  #hadItsTurn(): boolean {
    return this.#reader.isContended === true && performance.now() - this.#started > TURN;
  }

  /** Hands over a block; lets go of the engine where the reader takes too long for it. */
  async *#patiently(block: Uint8Array): AsyncGenerator<Uint8Array> {
    const patience = setTimeout(() => {
      this.wasLetGo = true;
      void this.#blocks.return?.();
    }, PATIENCE);
    try {
      yield block;
    } finally {
      clearTimeout(patience);
    }
  }
}

/** A queue that is full is no failure to be tried again: the reader is told to come later. */
const isPassing = (error: unknown): boolean =>
  error instanceof EngineFailure && error.isPassing && !(error instanceof EngineBusy);

/** Counts the failures of one stream. */
class Failures {
  readonly #signal: AbortSignal;
  #count = 0;
  #hasSent = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Waits until it is time for another try; throws the failure where there is none.
   *
   * Before any record was sent, only a failure of the moment is worth a try.
   */
  async overcome(error: unknown, hasSent: boolean): Promise<void> {
    this.#signal.throwIfAborted();
    this.#hasSent ||= hasSent;
    this.#count += 1;
    const isHopeful = this.#hasSent ? error instanceof EngineFailure : isPassing(error);
    if (!isHopeful || this.#count > MOST_FAILURES) throw error;
    const pause = Math.min(FIRST_PAUSE * 2 ** (this.#count - 1), LONGEST_PAUSE);
    await delay(pause, undefined, { signal: this.#signal });
  }
}
