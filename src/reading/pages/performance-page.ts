/** Reads one page of performance. */

import type { Reader } from '../../engine/engine.ts';
import type { PerformancePlan } from '../../plan/aggregation/performance-plan.ts';
import { performancePageStatement } from '../../plan/aggregation/performance-statement.ts';
import { RetryPolicy } from '../retry.ts';
import { firstRows } from './list-page.ts';
import type { Page } from './page.ts';

/** A page is small, so it is read whole, and again from its start if the engine fails. */
export const readPerformancePage = async (
  plan: PerformancePlan,
  limit: number,
  reader: Reader,
  signal: AbortSignal,
): Promise<Page> => {
  // Reads one record more than the page holds: if it exists, another page follows.
  const statement = performancePageStatement(plan, limit + 1);
  return await new RetryPolicy(signal).run(
    async () => await firstRows(reader.read(statement, signal), limit),
  );
};
