/** Logs the cause of a problem, which the reply does not reveal. */

import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { type Problem, problemLine } from '../../contract/problems/problems.ts';
import { LOGGED_REFUSALS, LogSampler } from './log-sampler.ts';

/** How the cause of a problem is logged, for each status. Causes of problems with other statuses are not logged. */
const WRITERS: ReadonlyMap<number, (log: FastifyBaseLogger, problem: Problem) => void> = new Map([
  // Without the stack trace: anyone can send wrong tokens and so fill the log.
  [401, (log, { code, cause }) => log.info({ code, reason: reasonOf(cause) }, 'request refused')],
  [500, (log, { cause }) => log.error({ err: cause }, 'request failed')],
  [
    503,
    (log, { code, cause }) => log.warn({ code, err: cause }, 'database or service not available'),
  ],
]);

/** Returns a function that logs the cause of a problem with which a request was refused. */
export function problemLog(
  app: FastifyInstance,
): (request: FastifyRequest, problem: Problem) => void {
  const refusals = new LogSampler(LOGGED_REFUSALS, (omitted) =>
    app.log.warn({ omitted }, 'problems before authentication were left out of the log'),
  );
  return (request, problem) => {
    const write = WRITERS.get(problemLine(problem.code).status);
    if (problem.cause === undefined || write === undefined) return;
    if (request.principal === undefined && !refusals.admits()) return;
    write(request.log, problem);
  };
}

const reasonOf = (cause: unknown): string | null => (cause instanceof Error ? cause.message : null);
