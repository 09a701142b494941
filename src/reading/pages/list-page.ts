/** Reads one page of a list, and the position where the next page starts. */

import { RECORD_FIELDS } from '../../contract/record/records.ts';
import { framedRows } from '../../engine/framing.ts';
import type { KeysetPosition } from '../../plan/keyset-position.ts';
import type { ListPlan } from '../../plan/list-plan.ts';
import type { PositionDeps } from '../last-record.ts';
import { readBlocks } from '../list-stream.ts';
import { RetryPolicy } from '../retry.ts';
import type { Page, PageBounds } from './page.ts';
import { readSortedPage, readSortedPageEnd } from './sorted-page.ts';

/** A page has fewer records than the limit only if no more follow. */
export async function readPage(
  plan: ListPlan,
  limit: number,
  deps: PositionDeps,
  signal: AbortSignal,
): Promise<Page> {
  if (plan.sort !== undefined) return await readSortedPage(plan, limit, deps, signal);
  // Reads one record more than the page holds: if it exists, another page follows.
  const blocks = readBlocks({ ...plan, limit: limit + 1 }, deps, new RetryPolicy(signal), signal);
  return await firstRows(blocks, limit);
}

/** The first records of blocks with frames. */
export async function firstRows(blocks: AsyncIterable<Uint8Array>, limit: number): Promise<Page> {
  const texts: Buffer[] = [];
  let last: KeysetPosition | undefined;
  let left = limit;
  for await (const block of blocks) {
    const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
    for (const { start, end, at, transactionId } of framedRows(bytes)) {
      if (left === 0) return { bytes: Buffer.concat(texts), last, rows: limit, isFollowed: true };
      texts.push(bytes.subarray(start, end));
      last = { at, transactionId };
      left -= 1;
    }
  }
  return { bytes: Buffer.concat(texts), last, rows: limit - left, isFollowed: false };
}

/** Like `readPage` without the records: reads only what the position needs. */
export const readPageBounds = async (
  plan: ListPlan,
  limit: number,
  deps: PositionDeps,
  signal: AbortSignal,
): Promise<PageBounds> => {
  if (plan.sort !== undefined) return await readSortedPageEnd(plan, limit, deps, signal);
  const fields = RECORD_FIELDS[plan.role].slice(0, 1);
  return await readPage({ ...plan, form: 'ndjson', fields }, limit, deps, signal);
};
