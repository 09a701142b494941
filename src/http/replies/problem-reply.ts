/** Problem replies: `application/problem+json` (RFC 9457) with the Bearer challenge of RFC 6750. */

import type { FastifyReply } from 'fastify';
import { couldContainToken } from '../../auth/access-token.ts';
import { SUCCESS_HEADERS } from '../../contract/openapi/headers.ts';
import { PROBLEM_MEDIA_TYPE, problemBody } from '../../contract/problems/problem-body.ts';
import {
  type ParameterFault,
  Problem,
  type ProblemCode,
  problemLine,
} from '../../contract/problems/problems.ts';
import { DiskQuotaExceeded } from '../../disk/disk-quota.ts';
import { DiskFull } from '../../disk/disk-space.ts';
import { EngineBusy, EngineFailure } from '../../engine/engine.ts';
import { defaultHeaders } from './default-headers.ts';

export interface ProblemReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers that a route may have set before it failed, and that would be wrong on a problem. */
const SUCCESS_ONLY_HEADERS = [...SUCCESS_HEADERS, 'Content-Length'];

/** Seconds after which a retry is likely to succeed. */
const RETRY_AFTER = '5';

/** If its disk quota is used up, a client must first read its files, so it waits longer than `RETRY_AFTER`. */
const QUOTA_HEADERS = { 'retry-after': '30' };

export function problemReply(problem: Problem, requestId: string, basePath: string): ProblemReply {
  const { code, hint } = problem;
  const faults = problem.faults.map(withoutToken);
  const { status } = problemLine(code);
  return {
    status,
    headers: {
      ...defaultHeaders(requestId),
      'content-type': PROBLEM_MEDIA_TYPE,
      'content-language': 'en',
      ...challengeFor(code),
      ...(status === 503 ? { 'retry-after': RETRY_AFTER } : {}),
      ...problem.headers,
    },
    body: `${JSON.stringify(problemBody({ code, faults, hint }, requestId, basePath))}\n`,
  };
}

/** Sends an error as a problem; returns the problem, for the log. */
export function sendProblem(reply: FastifyReply, error: unknown, basePath: string): Problem {
  const problem = problemOf(error);
  reply.request.problemCode = problem.code;
  const { status, headers, body } = problemReply(problem, reply.request.id, basePath);
  for (const name of SUCCESS_ONLY_HEADERS) reply.removeHeader(name);
  reply.code(status).headers(headers).send(Buffer.from(body));
  return problem;
}

/** Hides a token or a sign-in code that the client sent as a parameter name, because clients log errors. */
const withoutToken = (fault: ParameterFault): ParameterFault =>
  couldContainToken(fault.parameter) ? { ...fault, parameter: '(an access token)' } : fault;

function challengeFor(code: ProblemCode): Record<string, string> {
  const { bearer, detail } = problemLine(code);
  if (bearer === undefined) return {};
  const realm = 'Bearer realm="transactions"';
  const error = `, error="${bearer}", error_description="${detail.replaceAll(/["\\]/g, "'")}"`;
  return { 'www-authenticate': bearer === 'none' ? realm : realm + error };
}

const CODE_OF_STATUS: Readonly<Record<number, ProblemCode>> = {
  400: 'malformed_request',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  414: 'uri_too_long',
  // Fastify's status for a body whose media type cannot be parsed.
  415: 'malformed_request',
  431: 'headers_too_large',
};

/** Maps any error to a problem; an unexpected one becomes `internal_error`, which reveals nothing. */
function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DiskFull) return new Problem('no_room', { cause: error });
  if (error instanceof DiskQuotaExceeded) {
    return new Problem('disk_quota_exceeded', { cause: error, headers: QUOTA_HEADERS });
  }
  if (error instanceof EngineBusy) return new Problem('busy', { cause: error });
  if (error instanceof EngineFailure && error.isTimeout) {
    return new Problem('query_too_long', { cause: error });
  }
  if (error instanceof EngineFailure && error.isTransient) {
    return new Problem('database_unavailable', { cause: error });
  }
  const status = statusOf(error);
  return new Problem(CODE_OF_STATUS[status] ?? 'internal_error', { cause: error });
}

const statusOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
