/** Everything that the client throws besides a cancelled signal's own reason. */

import type { ParameterFault, ProblemBody, ProblemCode } from './model.ts';

/** What all of the client's errors are; none of them holds the token. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError';
}

/** A refusal by the service (RFC 9457). */
export class ApiProblem extends ClientError {
  override readonly name = 'ApiProblem';
  readonly status: number;
  /** A service that is newer than the client may name one that the client does not know. */
  readonly code: ProblemCode | (string & {});
  readonly title: string;
  readonly detail: string;
  /** Every wrong parameter, where the parameters are the problem. */
  readonly errors: readonly ParameterFault[];
  /** What the operator of the service finds the request by. */
  readonly requestId: string;
  /** Seconds after which the same question may well be answered. */
  readonly retryAfter: number | undefined;

  constructor(body: ProblemBody, retryAfter: number | undefined) {
    super([`${body.title}: ${body.detail}`, ...(body.errors ?? []).map(faultText)].join('\n'));
    this.status = body.status;
    this.code = body.code;
    this.title = body.title;
    this.detail = body.detail;
    this.errors = body.errors ?? [];
    this.requestId = body.request_id;
    this.retryAfter = retryAfter;
  }
}

const faultText = ({ parameter, detail }: ParameterFault): string => `${parameter}: ${detail}`;

/** An answer that is none of the service's: of a proxy before it, or of another server. */
export class UnexpectedAnswer extends ClientError {
  override readonly name = 'UnexpectedAnswer';
  readonly status: number;
  readonly retryAfter: number | undefined;

  constructor(what: string, status: number, retryAfter?: number) {
    super(what);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** No answer began. */
export class Unreachable extends ClientError {
  override readonly name = 'Unreachable';
}

/** An answer began and did not end. */
export class ConnectionCut extends ClientError {
  override readonly name = 'ConnectionCut';
}

/** A file that was begun cannot be gone on with. */
export class CannotResume extends ClientError {
  override readonly name = 'CannotResume';
}

/** Another download writes the same file. */
export class FileInUse extends ClientError {
  override readonly name = 'FileInUse';
}
