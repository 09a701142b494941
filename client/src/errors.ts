/** Error classes of the client; a cancelled request throws its signal's reason instead. */

import type { ParameterFault, ProblemBody, ProblemCode } from './model.ts';

/** Base class of the client's errors. No error contains the token. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError';
}

/** The token is empty, or has characters that no token has. No request was sent. */
export class InvalidToken extends ClientError {
  override readonly name = 'InvalidToken';
}

/** A problem that the service returned (RFC 9457). */
export class ApiProblem extends ClientError {
  override readonly name = 'ApiProblem';
  readonly status: number;
  /** A newer service may send a code that this client does not know. */
  readonly code: ProblemCode | (string & {});
  readonly title: string;
  readonly detail: string;
  /** The invalid parameters; empty for other problems. */
  readonly errors: readonly ParameterFault[];
  /** The operator of the service finds the request in the log by this id. */
  readonly requestId: string;
  /** Seconds from the header `Retry-After`. */
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

/** A response that did not come from the service, or that a proxy has changed. */
export class UnexpectedResponse extends ClientError {
  override readonly name = 'UnexpectedResponse';
  readonly status: number;
  readonly retryAfter: number | undefined;

  constructor(message: string, status: number, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** The service could not be reached: no response arrived. */
export class Unreachable extends ClientError {
  override readonly name = 'Unreachable';
}

/** The connection closed before the response was complete. */
export class ConnectionCut extends ClientError {
  override readonly name = 'ConnectionCut';
}

/** A partial file cannot be resumed. */
export class CannotResume extends ClientError {
  override readonly name = 'CannotResume';
}

/** Another download is writing the same file. */
export class FileInUse extends ClientError {
  override readonly name = 'FileInUse';
}
