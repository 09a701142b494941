/** Finds where a page of a report ends, without reading its records. */

import { RECORDS } from '../contract/records.ts';
import type { Position } from '../plan/position.ts';
import type { ReportPlan } from '../plan/report-plan.ts';
import { Failures } from './failures.ts';
import { framedRows } from './frames.ts';
import type { PositionSource } from './last-record.ts';
import { readBlocks } from './report-stream.ts';

export interface PageEnd {
  /** The place of the last record; undefined where there is none. */
  readonly last: Position | undefined;
  readonly isFollowed: boolean;
}

export async function pageEnd(
  plan: ReportPlan,
  limit: number,
  source: PositionSource,
  signal: AbortSignal,
): Promise<PageEnd> {
  const fields = RECORDS[plan.audience].slice(0, 1);
  // One more than the page has tells whether any follow.
  const places: ReportPlan = { ...plan, form: 'ndjson', fields, limit: limit + 1 };
  let last: Position | undefined;
  let left = limit;
  for await (const block of readBlocks(places, source, new Failures(signal), signal)) {
    for (const { at, transactionId } of framedRows(block)) {
      if (left === 0) return { last, isFollowed: true };
      last = { at, transactionId };
      left -= 1;
    }
  }
  return { last, isFollowed: false };
}
