/** Knows the place of the last record of a block. */

import * as v from 'valibot';
import { instantsOf } from '../contract/query/calendar.ts';
import { EngineFailure, type Reader } from '../engine/engine.ts';
import { lastPlace } from '../engine/framing.ts';
import type { KeysetPosition } from '../plan/keyset-position.ts';
import type { ReportPlan } from '../plan/report-plan.ts';
import { createdAtStatement } from '../plan/report-statement.ts';
import type { RowBoundaries } from '../plan/sql.ts';
import type { MonthCache } from './month-cache.ts';
import type { TableVersions } from './table-versions.ts';

export interface PositionDeps {
  readonly reader: Reader;
  readonly timeZone: string;
  readonly tableVersions: TableVersions;
  readonly monthCache?: MonthCache | undefined;
}

const RECORD = v.object({ transaction_id: v.number(), created_at: v.string() });

/** What tells the place of a record: the place, or the record's own text. */
export type Mark = KeysetPosition | Buffer;

/** The mark of the last record of a block, which is good for longer than the block. */
export function lastRecordOf(block: Uint8Array, marks: RowBoundaries): Mark {
  if (marks === 'framed') return lastPlace(block);
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  return Buffer.from(bytes.subarray(bytes.lastIndexOf(marks.lead) + marks.lead.length));
}

/** Where a report goes on after this record. */
export async function positionAfter(
  record: Mark,
  plan: ReportPlan,
  source: PositionDeps,
): Promise<KeysetPosition> {
  if (!Buffer.isBuffer(record)) return record;
  const { transaction_id, created_at } = v.parse(RECORD, JSON.parse(record.toString()));
  const instants = instantsOf(created_at, source.timeZone);
  const [at, other] = instants;
  if (at === undefined) throw new EngineFailure('A record without a date of creation.');
  if (other === undefined) return { at, transactionId: transaction_id };
  // The clock shows this time twice a year, so the engine is asked which one it was.
  const rows = await source.reader.rows(createdAtStatement(plan, transaction_id, instants));
  return { at: rows[0]?.created ?? at, transactionId: transaction_id };
}
