/** A problem as it is sent: `application/problem+json` (RFC 9457), with the challenge of RFC 6750. */

import { mayHoldToken } from '../../auth/access-token.ts';
import { SUCCESS_HEADERS } from '../../contract/openapi/headers.ts';
import { PROBLEM_MEDIA_TYPE, problemBody } from '../../contract/problems/problem-body.ts';
import {
  type ParameterFault,
  Problem,
  type ProblemCode,
  problemLine,
} from '../../contract/problems/problems.ts';
import { DiskFull } from '../../disk/disk-space.ts';
import { EngineBusy, EngineFailure } from '../../engine/engine.ts';
import { addDefaultHeaders } from './default-headers.ts';

export interface ProblemReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers that were set for an answer which then failed, and would tell wrong things of the problem. */
export const SUCCESS_ONLY_HEADERS = [...SUCCESS_HEADERS, 'Content-Length'];

/** Seconds after which a client may well succeed. */
const RETRY_AFTER = '5';

export function problemReply(problem: Problem, requestId: string, basePath: string): ProblemReply {
  const { code, faults } = problem;
  const { status } = problemLine(code);
  return {
    status,
    headers: {
      ...addDefaultHeaders(requestId),
      'content-type': PROBLEM_MEDIA_TYPE,
      'content-language': 'en',
      ...challengeFor(code),
      ...(status === 503 ? { 'retry-after': RETRY_AFTER } : {}),
      ...problem.headers,
    },
    body: `${JSON.stringify(problemBody(code, faults.map(withoutToken), requestId, basePath))}\n`,
  };
}

/** A name is the client's own text, and errors get into logs. */
const withoutToken = (fault: ParameterFault): ParameterFault =>
  mayHoldToken(fault.parameter) ? { ...fault, parameter: '(an access token)' } : fault;

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
  431: 'headers_too_large',
};

/** The problem behind any error; what nobody foresaw is an internal error that tells nothing. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DiskFull) return new Problem('no_room', { cause: error });
  if (error instanceof EngineBusy) return new Problem('busy', { cause: error });
  if (error instanceof EngineFailure && error.isPassing) {
    return new Problem('database_unavailable', { cause: error });
  }
  const status = statusOf(error);
  return new Problem(CODE_OF_STATUS[status] ?? 'internal_error', { cause: error });
}

const statusOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
