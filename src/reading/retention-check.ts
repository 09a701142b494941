/** Stops a response if retention removes rows that it has not sent yet, so that it never looks complete. */

import { startOfDay } from '../contract/query/calendar.ts';
import type { KeptFrom } from '../contract/record/retention.ts';
import { EngineFailure } from '../engine/engine.ts';
import type { ReportPlan } from '../plan/report-plan.ts';
import { clampToKeyset } from '../plan/report-statement.ts';
import type { PositionDeps } from './last-record.ts';

/** Whether the rest of a response is kept. */
export type RetentionCheck = (plan: ReportPlan) => Promise<boolean>;

/** Ends the response: a cut one is read again. */
export class RowsRemoved extends EngineFailure {
  constructor() {
    super('Retention removes rows of this response.');
  }
}

/**
 * The check for one response. It is made before each statement, and after its first block: a statement
 * may wait for others. One that has begun reads all rows of that moment.
 *
 * A removal is noted before it begins, and on servers everybody has noticed it by then.
 */
export function retentionCheck({ tableVersions, timeZone }: PositionDeps): RetentionCheck {
  let before: KeptFrom | undefined;
  return async (plan: ReportPlan): Promise<boolean> => {
    const kept = await tableVersions.keptFrom();
    before ??= kept;
    const first = kept[plan.kind];
    if (first === undefined || first === before[plan.kind]) return true;
    const start = startOfDay(`${first.slice(0, 4)}-${first.slice(4)}-01`, timeZone);
    return plan.dateField === 'created_at' && clampToKeyset(plan).from >= start;
  };
}
