/** Reads one page of a report, and knows where the next one goes on. */

import type { Position } from '../plan/position.ts';
import type { ReportPlan } from '../plan/report-plan.ts';
import { Failures } from './failures.ts';
import { framedRows } from './frames.ts';
import type { PositionSource } from './last-record.ts';
import { readBlocks } from './report-stream.ts';

export interface Page {
  /** The records as their form writes them. */
  readonly bytes: Buffer;
  /** The last record's place, where more follow. */
  readonly next: Position | undefined;
}

/** The page of a plan with a limit; it has as many records as the limit, unless no more follow. */
export async function readPage(
  plan: ReportPlan,
  limit: number,
  source: PositionSource,
  signal: AbortSignal,
): Promise<Page> {
  const texts: Buffer[] = [];
  let last: Position | undefined;
  let left = limit;
  // One more than the page has tells whether any follow.
  const blocks = readBlocks({ ...plan, limit: limit + 1 }, source, new Failures(signal), signal);
  for await (const block of blocks) {
    const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
    for (const { start, end, at, transactionId } of framedRows(bytes)) {
      if (left === 0) return { bytes: Buffer.concat(texts), next: last };
      texts.push(bytes.subarray(start, end));
      last = { at, transactionId };
      left -= 1;
    }
  }
  return { bytes: Buffer.concat(texts), next: undefined };
}
