/** The position of the last record in a block, from which a list is resumed. */

import * as v from 'valibot';
import { secondsOfWallClock } from '../contract/query/calendar.ts';
import { EngineFailure, type Reader } from '../engine/engine.ts';
import { lastPosition } from '../engine/framing.ts';
import type { KeysetPosition } from '../plan/keyset-position.ts';
import type { ListPlan } from '../plan/list-plan.ts';
import { createdAtStatement } from '../plan/list-statement.ts';
import type { RowBoundaries } from '../plan/sql.ts';
import type { TableVersions } from './table-versions.ts';

/** Why a query is resumed: the engine failed, or it was released for other queries or because of a slow client. */
export type ResumptionReason = 'failed' | 'released';

export interface PositionDeps {
  readonly reader: Reader;
  readonly timeZone: string;
  readonly tableVersions: TableVersions;
  /** Called when a list is resumed after the last record that was read. */
  readonly onResumption?: ((reason: ResumptionReason) => void) | undefined;
}

const RECORD = v.object({ transaction_id: v.number(), created_at: v.string() });

/** The position of a record, or the text of the record, which contains it. */
export type LastRecord = KeysetPosition | Buffer;

/** The result stays valid after the block is freed. */
export function lastRecordOf(block: Uint8Array, boundaries: RowBoundaries): LastRecord {
  if (boundaries === 'framed') return lastPosition(block);
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  return Buffer.from(bytes.subarray(bytes.lastIndexOf(boundaries.lead) + boundaries.lead.length));
}

/** The position after which a list is resumed. Throws an EngineFailure if it depends on a record that was removed. */
export async function positionAfter(
  record: LastRecord,
  plan: ListPlan,
  deps: PositionDeps,
): Promise<KeysetPosition> {
  if (!Buffer.isBuffer(record)) return record;
  const { transaction_id, created_at } = v.parse(RECORD, JSON.parse(record.toString()));
  const instants = secondsOfWallClock(created_at, deps.timeZone);
  const [at, other] = instants;
  if (at === undefined) throw new EngineFailure('A record has no date of creation.');
  if (other === undefined) return { at, transactionId: transaction_id };
  // When the clocks go back, a local time occurs twice. Only the engine knows the instant.
  const rows = await deps.reader.rows(
    createdAtStatement(plan, transaction_id, instants, deps.timeZone),
  );
  const [row] = rows;
  // The earlier instant would repeat the rows of up to an hour.
  if (row === undefined) throw new EngineFailure('The last record that was sent has been removed.');
  return { at: row.created, transactionId: transaction_id };
}
