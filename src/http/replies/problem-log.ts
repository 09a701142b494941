/** Logs the cause of a problem, which the reply does not reveal. */

import type { FastifyBaseLogger } from 'fastify';
import { type Problem, problemLine } from '../../contract/problems/problems.ts';

export function logProblem(log: FastifyBaseLogger, { code, cause }: Problem): void {
  if (cause === undefined) return;
  const { status } = problemLine(code);
  if (status === 500) log.error({ err: cause }, 'failed');
  if (status === 503) log.warn({ code, err: cause }, 'not available');
  // Without the stack trace: anyone can send wrong tokens and so fill the log.
  if (status === 401) log.info({ code, reason: reasonOf(cause) }, 'refused');
}

const reasonOf = (cause: unknown): string | null => (cause instanceof Error ? cause.message : null);
