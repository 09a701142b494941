/**
 * Keeps the memory of an import small: returns to the system what the embedded engine has freed.
 *
 * The engine's allocator (jemalloc) keeps freed memory for a second or more (see bin/transactions.js). In that
 * time, an import fills and frees many blocks of rows.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Engine } from '../engine/engine.ts';

/** Milliseconds between two checks of the memory. */
const INTERVAL = 100;

/**
 * Bytes by which the memory must have grown since the last release. A release takes about 20 ms, and small imports
 * need none.
 */
const GROWTH = 32 * 1024 * 1024;

/** Releases memory that the process has taken since, until the result is disposed. */
export function releasingMemory(
  { releaseMemory }: Engine,
  usedMemory: () => number = process.memoryUsage.rss,
): AsyncDisposable {
  const ended = new AbortController();
  const running = releaseMemory && releaseUntil(ended.signal, releaseMemory, usedMemory);
  return {
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      await running;
    },
  };
}

async function releaseUntil(
  signal: AbortSignal,
  release: () => Promise<void>,
  usedMemory: () => number,
): Promise<void> {
  let least = usedMemory();
  try {
    for (;;) {
      await delay(INTERVAL, undefined, { signal });
      const used = usedMemory();
      least = Math.min(least, used);
      if (used - least < GROWTH) continue;
      await release();
      least = usedMemory();
    }
  } catch {
    // The import ended, or the engine has another allocator: imports then take more memory.
  }
}
