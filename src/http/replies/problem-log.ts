/** Logs the cause of a problem, which the reply does not reveal. */

import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { type Problem, problemLine } from '../../contract/problems/problems.ts';
import { LogSampler } from './log-sampler.ts';

/** The statuses of problems whose cause is logged. */
const LOGGED: ReadonlySet<number> = new Set([401, 500, 503]);

/** For problems before authentication, which anyone can cause. */
const SAMPLE = { lines: 100, window: 1000 };

/** Returns a function that logs the cause of a problem with which a request was refused. */
export function problemLog(
  app: FastifyInstance,
): (request: FastifyRequest, problem: Problem) => void {
  const refusals = new LogSampler(SAMPLE, (omitted) =>
    app.log.warn({ omitted }, 'more problems before authentication occurred than are logged'),
  );
  return (request, problem) => {
    if (problem.cause === undefined || !LOGGED.has(problemLine(problem.code).status)) return;
    if (request.principal === undefined && !refusals.admits()) return;
    logCause(request.log, problem);
  };
}

function logCause(log: FastifyBaseLogger, { code, cause }: Problem): void {
  const { status } = problemLine(code);
  if (status === 500) log.error({ err: cause }, 'failed');
  if (status === 503) log.warn({ code, err: cause }, 'not available');
  // Without the stack trace: anyone can send wrong tokens and so fill the log.
  if (status === 401) log.info({ code, reason: reasonOf(cause) }, 'refused');
}

const reasonOf = (cause: unknown): string | null => (cause instanceof Error ? cause.message : null);
