/** Reads one page of a report, and knows where the next one goes on. */

import { RECORDS } from '../contract/record/records.ts';
import { framedRows } from '../engine/framing.ts';
import type { KeysetPosition } from '../plan/keyset-position.ts';
import type { ReportPlan } from '../plan/report-plan.ts';
import type { PositionDeps } from './last-record.ts';
import { readBlocks } from './report-stream.ts';
import { RetryPolicy } from './retry.ts';

export interface Page {
  /** The records as their form writes them. */
  readonly bytes: Buffer;
  /** The last record's place; undefined where there is none. */
  readonly last: KeysetPosition | undefined;
  /** Whether more records follow. */
  readonly isFollowed: boolean;
}

/** The page of a plan with a limit; it has as many records as the limit, unless no more follow. */
export async function readPage(
  plan: ReportPlan,
  limit: number,
  source: PositionDeps,
  signal: AbortSignal,
): Promise<Page> {
  const texts: Buffer[] = [];
  let last: KeysetPosition | undefined;
  let left = limit;
  // One more than the page has tells whether any follow.
  const blocks = readBlocks({ ...plan, limit: limit + 1 }, source, new RetryPolicy(signal), signal);
  for await (const block of blocks) {
    const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
    for (const { start, end, at, transactionId } of framedRows(bytes)) {
      if (left === 0) return { bytes: Buffer.concat(texts), last, isFollowed: true };
      texts.push(bytes.subarray(start, end));
      last = { at, transactionId };
      left -= 1;
    }
  }
  return { bytes: Buffer.concat(texts), last, isFollowed: false };
}

/** The same without the records, of which as little as possible is read. */
export const readPageEnd = async (
  plan: ReportPlan,
  limit: number,
  source: PositionDeps,
  signal: AbortSignal,
): Promise<Omit<Page, 'bytes'>> => {
  const fields = RECORDS[plan.role].slice(0, 1);
  return await readPage({ ...plan, form: 'ndjson', fields }, limit, source, signal);
};
