/** Knows the last record of a block of rendered records, and its place. */

import { instantsOf } from '../contract/calendar.ts';
import type { Position } from '../plan/position.ts';
import type { ReportPlan } from '../plan/report-plan.ts';
import { createdAtStatement, RECORD_LEAD } from '../plan/report-statement.ts';
import { EngineFailure, type Reader } from './engine.ts';
import type { KeptMonths } from './kept-months.ts';

export interface PositionSource {
  readonly reader: Reader;
  readonly timeZone: string;
  /** What is kept of what was asked for before. */
  readonly kept?: KeptMonths | undefined;
}

/** A copy of the last record of a block, which is good for longer than the block. */
export function lastRecordOf(block: Uint8Array): Buffer {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  return Buffer.from(bytes.subarray(bytes.lastIndexOf(RECORD_LEAD) + RECORD_LEAD.length));
}

/** Where a report goes on after this record. */
export async function positionAfter(
  record: Buffer,
  plan: ReportPlan,
  source: PositionSource,
): Promise<Position> {
  const { transaction_id, created_at } = JSON.parse(record.toString()) as {
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
