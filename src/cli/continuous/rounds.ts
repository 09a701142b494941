/** Repeats a round of work at an interval until the process is told to stop; waits longer after failures. */

import { setTimeout as wait } from 'node:timers/promises';

export interface Rounds {
  /** Milliseconds between the starts of two rounds. After a round that takes longer, the next one starts at once. */
  readonly every: number;
  readonly signal: AbortSignal;
  /** A failed round is repeated, except the first. Its error is thrown, because often an argument is wrong. */
  readonly round: () => Promise<void>;
  /** Told of each failure, with the milliseconds until the next try. What it throws ends the rounds. */
  readonly onFailure: (error: unknown, delay: number) => void;
}

/** The longest time between two tries, unless the interval is longer. */
const LONGEST_DELAY = 15 * 60_000;

export async function repeat({ every, signal, round, onFailure }: Rounds): Promise<void> {
  let failures = 0;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    // Not the clock: if it were set back, the next round would wait for it.
    const started = performance.now();
    try {
      await round();
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (isFirst) throw error;
      failures += 1;
      onFailure(error, delayAfter(failures, every));
    }
    const pause = failures > 0 ? delayAfter(failures, every) : started + every - performance.now();
    await wait(Math.max(pause, 0), undefined, { signal }).catch(() => undefined);
  }
}

/** The delay doubles with each failure in a row, up to a maximum. */
export const delayAfter = (failures: number, every: number): number =>
  Math.min(every * 2 ** (failures - 1), Math.max(every, LONGEST_DELAY));

/** Aborted by the signals that end a process. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  return stopping.signal;
}
