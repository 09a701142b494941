/** The form of the explanation of a problem. */

/** What causes a problem. `request` problems can occur on every path. */
export type ProblemOrigin =
  | 'request'
  | 'method'
  | 'path'
  | 'transaction'
  | 'token'
  | 'provider'
  | 'attempts'
  | 'role'
  | 'link'
  | 'management'
  | 'managed-token'
  | 'new-link'
  | 'new-token'
  | 'webhook'
  | 'parameters'
  | 'query'
  | 'changes'
  | 'file'
  | 'mcp'
  | 'database';

export interface Explanation {
  readonly origin: ProblemOrigin;
  /** When the service sends it, and why. */
  readonly meaning: string;
  /** What the client can do. If the client can do nothing, what the operator can do. */
  readonly remedy: string;
}

/** The remedy of temporary problems. */
export const TRY_AGAIN =
  'Send the same request again after the number of seconds in the header `Retry-After`. This is safe for every GET and HEAD, which only read.';
