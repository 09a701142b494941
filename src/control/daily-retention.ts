/**
 * Applies retention when the service starts, and then once a day.
 *
 * Of several processes one gets the lease. The others find nothing left to remove.
 */

import type { FastifyBaseLogger } from 'fastify';
import type { Retention } from '../contract/record/retention.ts';
import type { Operator } from './operator.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Returns a function that stops it. After a failure it tries again within an hour. */
export function startRetention(
  operator: Pick<Operator, 'retain'>,
  retention: Retention,
  logger: FastifyBaseLogger,
): () => void {
  let appliedAt = Number.NEGATIVE_INFINITY;
  const apply = async () => {
    if (performance.now() < appliedAt + DAY) return;
    try {
      const report = await operator.retain({ retention, isDryRun: false });
      appliedAt = performance.now();
      logger.info(report, 'retention');
    } catch (error) {
      logger.warn({ err: error }, 'retention was not applied');
    }
  };
  void apply();
  const timer = setInterval(() => void apply(), HOUR).unref();
  return () => clearInterval(timer);
}
