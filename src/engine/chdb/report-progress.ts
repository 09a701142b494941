/** Reports how many bytes a running statement of the embedded engine has read. */

import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { INTEGER, select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import type { ExecuteOptions, Reader } from '../engine.ts';

/** Milliseconds from a report to the next one. */
const PROGRESS_INTERVAL = 200;

const PROGRESS = v.object({ read_bytes: INTEGER });

/**
 * Reports until the signal says that the statement has ended. `name` is the name of its session.
 *
 * Each report waits for the one before, so reports stay in order and none comes after the end.
 */
export async function reportProgress(
  reader: Pick<Reader, 'rows'>,
  name: string,
  { onProgress }: ExecuteOptions,
  ended: AbortSignal,
): Promise<void> {
  if (onProgress === undefined) return;
  const text = `SELECT read_bytes FROM system.processes WHERE Settings['log_comment'] = '${name}'`;
  const progress = select(PROGRESS, plainStatement(text));
  try {
    for (;;) {
      await delay(PROGRESS_INTERVAL, undefined, { signal: ended });
      // A failure here must not fail the statement.
      const [row] = await reader.rows(progress).catch(() => []);
      if (row !== undefined && !ended.aborted) onProgress(row.read_bytes);
    }
  } catch {
    // The statement has ended.
  }
}
