/** Readiness probe of the engine, shared by concurrent checks and cached for a second. */

import type { Reader } from '../../engine/engine.ts';
import { ANY_ROW, select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';

const PROBE = select(ANY_ROW, plainStatement('SELECT 1 AS answer'));

/** Milliseconds for which a successful probe is valid. */
const TTL = 1000;

/** Rejects if the engine does not answer. Anyone can send checks without a token, so many checks share one probe. */
export function readiness(
  reader: Reader,
  clock: Pick<Performance, 'now'> = performance,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  let validUntil = Number.NEGATIVE_INFINITY;
  const probe = async () => {
    try {
      await reader.rows(PROBE);
      validUntil = clock.now() + TTL;
    } finally {
      running = undefined;
    }
  };
  return async () => {
    if (clock.now() < validUntil) return;
    running ??= probe();
    await running;
  };
}
