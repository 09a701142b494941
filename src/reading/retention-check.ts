/** Stops a response if retention removes rows before they are sent, because it would look complete without them. */

import { startOfDay } from '../contract/query/calendar.ts';
import { EngineFailure } from '../engine/engine.ts';
import type { ListPlan } from '../plan/list-plan.ts';
import { clampToKeyset } from '../plan/list-statement.ts';
import type { PositionDeps } from './last-record.ts';

/** Whether retention keeps all rows that the response has not sent yet. The plan selects these rows. */
export type RetentionCheck = (plan: ListPlan) => Promise<boolean>;

/** Ends the response. A client that notices this requests the list again. */
export class RowsRemoved extends EngineFailure {
  constructor() {
    super('Retention removes rows that this response has not sent yet.');
  }
}

/**
 * The check for one response. Call it before each statement, and again after the statement's first block,
 * because the statement may wait in the queue. A statement that has begun reads all rows of that moment.
 *
 * A removal stores the first months that are kept again before and after it removes the rows of a month, so that
 * their number increases. On servers, the removal then waits until all processes have noticed.
 */
export function retentionCheck({ tableVersions, timeZone }: PositionDeps): RetentionCheck {
  let before: number | undefined;
  return async (plan: ListPlan): Promise<boolean> => {
    const { value, precedence } = await tableVersions.keptFrom();
    before ??= precedence;
    const first = value[plan.kind];
    // A replica that is late may return a smaller number.
    if (first === undefined || precedence <= before) return true;
    const start = startOfDay(`${first.slice(0, 4)}-${first.slice(4)}-01`, timeZone);
    return plan.dateField === 'created_at' && clampToKeyset(plan).from >= start;
  };
}
