/** Failures of signing in through the provider. */

import { ApiProblem } from '../../../../client/src/index.ts';

/** Why a sign-in failed, as the page tells it. */
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

/** The service accepts the provider, but not this account, which lacks a role or its websites. */
export const refusedAccount = (error: unknown): unknown =>
  error instanceof ApiProblem && error.code === 'token_invalid'
    ? new ProviderFailure('noAccess', { cause: error })
    : error;
