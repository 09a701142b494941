/**
 * Keeps the memory of an import small: returns to the system what the embedded engine has freed.
 *
 * The engine's allocator (jemalloc) keeps freed memory for a second or more (see bin/transactions.js). In that
 * time, an import fills and frees many blocks of rows.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Engine } from '../engine/engine.ts';

/** Milliseconds until the first release. Small imports end before it. */
const FIRST_DELAY = 500;

/** Milliseconds between two releases. Each takes about 20 ms and blocks no other work. */
const INTERVAL = 100;

/** Releases memory until the result is disposed. */
export function releasingMemory({ releaseMemory }: Engine): AsyncDisposable {
  const ended = new AbortController();
  const running = releaseMemory && releaseUntil(ended.signal, releaseMemory);
  return {
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      await running;
    },
  };
}

async function releaseUntil(signal: AbortSignal, release: () => Promise<void>): Promise<void> {
  try {
    await delay(FIRST_DELAY, undefined, { signal });
    while (!signal.aborted) {
      await release();
      await delay(INTERVAL, undefined, { signal });
    }
  } catch {
    // The import ended, or the engine has another allocator: imports then take more memory.
  }
}
