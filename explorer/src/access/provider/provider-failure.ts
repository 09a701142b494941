/** Failures of signing in through the provider. */

import { ApiProblem } from '../../../../client/src/index.ts';

/** The reasons for a failed sign-in that the page distinguishes. */
export const PROVIDER_FAILURES = [
  'declined',
  'unavailable',
  'unreachable',
  'refused',
  'interrupted',
  'noAccess',
] as const;

export type ProviderFailureKind = (typeof PROVIDER_FAILURES)[number];

export class ProviderFailure extends Error {
  readonly kind: ProviderFailureKind;
  /** The error code of the provider (RFC 6749, 4.1.2.1), for its operator. */
  readonly code: string | undefined;

  constructor(kind: ProviderFailureKind, options: ErrorOptions & { readonly code?: string } = {}) {
    super(kind, options);
    this.name = 'ProviderFailure';
    this.kind = kind;
    this.code = options.code;
  }
}

/** Turns `token_invalid` into `noAccess`: the sign-in succeeded, but the account has no role or no websites. */
export const toProviderFailure = (error: unknown): unknown =>
  error instanceof ApiProblem && error.code === 'token_invalid'
    ? new ProviderFailure('noAccess', { cause: error })
    : error;
