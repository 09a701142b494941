/**
 * Reads a report as one stream of rendered records, however long it is and whatever happens to the
 * engine or the reader meanwhile.
 *
 * Records go out whole and in order, so the place of the last one is known. When the engine fails,
 * the stream goes on after it. When the reader stalls, it lets go of the engine and takes it up
 * again when the reader does.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { ReportPlan } from '../plan/report-plan.ts';
import { boundsStatement, reportStatement } from '../plan/report-statement.ts';
import { isLong, slicesOf, within } from '../plan/slices.ts';
import type { Statement } from '../plan/sql.ts';
import { EngineBusy, EngineFailure, type Reader } from './engine.ts';
import { lastRecordOf, type PositionSource, positionAfter } from './last-record.ts';
import { release } from './release.ts';

/** How often a stream takes up an engine that failed, before it fails itself. */
const MOST_FAILURES = 8;

/** Milliseconds before the first new try; each further one waits twice as long, up to the longest. */
const FIRST_PAUSE = 25;
const LONGEST_PAUSE = 500;

/** Milliseconds that a reader may take for a block before the engine is let go. */
const PATIENCE = 250;
/** The same while others wait for it. */
const LITTLE_PATIENCE = 50;

/** Milliseconds that a stream keeps the engine while others wait for it. */
const TURN = 250;

/** Blocks of whole records, each of which begins with a comma and a new line; the reader owns them. */
export async function* readReport(
  plan: ReportPlan,
  source: PositionSource,
  signal: AbortSignal,
): AsyncIterableIterator<Uint8Array> {
  const failures = new Failures(signal);
  const kept = await failures.untilDone(async () => await source.kept?.recordsOf(plan));
  if (kept?.length) yield kept;
  if (kept !== undefined) return;
  const bounded = isLong(plan) ? await failures.untilDone(() => withinData(plan, source)) : plan;
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
  let last: Buffer | undefined;
  for (;;) {
    const plan = await failures.untilDone(() => planAfter(last, slice, source));
    const statement = { ...reportStatement(plan), continues: failures.hasSent };
    try {
      const run = new Run(source.reader, statement, signal);
      for await (const block of run.blocks()) {
        failures.hasSent = true;
        last = run.last;
        yield block;
      }
      if (!run.wasLetGo) return;
    } catch (error) {
      await failures.overcome(error);
    }
  }
}

async function planAfter(
  last: Buffer | undefined,
  slice: ReportPlan,
  source: PositionSource,
): Promise<ReportPlan> {
  return last === undefined ? slice : { ...slice, after: await positionAfter(last, slice, source) };
}

/** One statement's blocks, as far as the engine and the reader come. */
class Run {
  readonly #reader: Reader;
  readonly #blocks: AsyncIterator<Uint8Array>;
  readonly #started = performance.now();
  /** The next block, asked for while one is sent, so that engine and connection work at once. */
  #ahead: Promise<IteratorResult<Uint8Array>>;
  last: Buffer | undefined;
  wasLetGo = false;

  constructor(reader: Reader, statement: Statement, signal: AbortSignal) {
    this.#reader = reader;
    this.#blocks = reader.read(statement, signal)[Symbol.asyncIterator]();
    this.#ahead = this.#askAhead();
  }

  async *blocks(): AsyncGenerator<Uint8Array> {
    try {
      while (!this.wasLetGo) {
        const { done, value } = await this.#ahead;
        if (done) return;
        this.last = lastRecordOf(value);
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
      void this.#letGo();
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
  if (value !== undefined) release(value);
}

/** A queue that is full is no failure to be tried again: the reader is told to come later. */
const isPassing = (error: unknown): boolean =>
  error instanceof EngineFailure && error.isPassing && !(error instanceof EngineBusy);

/** Counts the failures of one stream. */
class Failures {
  readonly #signal: AbortSignal;
  #count = 0;
  /** Whether the stream has given any record. */
  hasSent = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Does something again until it succeeds, as often as is left. */
  async untilDone<Result>(action: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await action();
      } catch (error) {
        await this.overcome(error);
      }
    }
  }

  /**
   * Waits until it is time for another try; throws the failure where there is none.
   *
   * Before any record was sent, only a failure of the moment is worth a try.
   */
  async overcome(error: unknown): Promise<void> {
    this.#signal.throwIfAborted();
    this.#count += 1;
    const isHopeful = this.hasSent ? error instanceof EngineFailure : isPassing(error);
    if (!isHopeful || this.#count > MOST_FAILURES) throw error;
    const pause = Math.min(FIRST_PAUSE * 2 ** (this.#count - 1), LONGEST_PAUSE);
    await delay(pause, undefined, { signal: this.#signal });
  }
}
