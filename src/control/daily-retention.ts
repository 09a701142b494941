/**
 * Applies retention when the service starts, and then once a day.
 *
 * If several processes start it at once, only one may remove rows (maintenance-lease.ts). The others fail, and
 * find nothing left to remove when they try again.
 */

import type { FastifyBaseLogger } from 'fastify';
import type { Retention } from '../contract/record/retention.ts';
import type { Operator } from './operator.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Returns a function that stops the schedule. A failure is logged and retried within an hour. */
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
