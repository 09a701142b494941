/** Reads the place of the last record in a block of rendered records. */

import { instantsOf } from '../contract/calendar.ts';
import type { Position } from '../plan/position.ts';
import type { ReportPlan } from '../plan/report-plan.ts';
import { createdAtStatement, RECORD_LEAD } from '../plan/report-statement.ts';
import { EngineFailure, type Reader } from './engine.ts';

export interface PositionSource {
  readonly reader: Reader;
  readonly timeZone: string;
}

/** Where a report goes on after this block. */
export async function positionAfter(
  block: Uint8Array,
  plan: ReportPlan,
  source: PositionSource,
): Promise<Position> {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  // The lead of a block's only record may have been replaced by its reader, but is as long.
  const start = Math.max(bytes.lastIndexOf(RECORD_LEAD), 0) + RECORD_LEAD.length;
  const { transaction_id, created_at } = JSON.parse(bytes.subarray(start).toString()) as {
    transaction_id: number;
    created_at: string;
  };
  const instants = instantsOf(created_at, source.timeZone);
  const [createdAt, other] = instants;
  if (createdAt === undefined) throw new EngineFailure('A record without a date of creation.');
  if (other === undefined) return { createdAt, transactionId: transaction_id };
  // The clock shows this time twice a year, so the engine is asked which one it was.
  const rows = (await source.reader.rows(createdAtStatement(plan, transaction_id, instants))) as {
    created: number;
  }[];
  return { createdAt: rows[0]?.created ?? createdAt, transactionId: transaction_id };
}
