/** Logs and counts refusals of requests for which Fastify runs no hook, such as malformed ones. */

import type { FastifyBaseLogger } from 'fastify';
import { type Problem, problemLine } from '../../contract/problems/problems.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { clientAddressOf } from '../client-address.ts';
import { LOGGED_REFUSALS, LogSampler } from '../replies/log-sampler.ts';

interface EarlyRefusal {
  readonly requestId: string;
  readonly problem: Problem;
  /** The address of the connection; undefined if the client has disconnected already. */
  readonly address: string | undefined;
}

export type OnRefusal = (refusal: EarlyRefusal) => void;

export function refusalLog(logger: FastifyBaseLogger, metrics: Metrics): OnRefusal {
  const refusals = new LogSampler(LOGGED_REFUSALS, (omitted) =>
    logger.warn({ omitted }, 'malformed requests were left out of the log'),
  );
  return ({ requestId, problem: { code, cause }, address = '' }) => {
    const { status } = problemLine(code);
    metrics.count('transactions_http_requests_total', { route: 'none', status: String(status) });
    if (!refusals.admits()) return;
    const client = clientAddressOf({ ip: address });
    const details = { req_id: requestId, code, status, client, reason: reasonOf(cause) };
    logger.info(details, 'request refused');
  };
}

/** The code of an error and not its message, which may contain the URL. */
const reasonOf = (cause: unknown): string | null =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : null;
