/** Error messages for users: what failed and what to do next. */

import {
  ApiProblem,
  ConnectionCut,
  InvalidToken,
  UnexpectedResponse,
  Unreachable,
} from '../../../client/src/index.ts';
import { ProviderFailure, type ProviderFailureKind } from '../access/provider/provider-failure.ts';
import { FILTER_NAMES, fieldLabel, hintForSent } from '../query/filters.ts';
import type { Texts } from '../texts/texts.ts';

export interface ErrorMessage {
  readonly what: string;
  readonly next: string;
  /** The id by which the operator finds the request in the log. */
  readonly requestId?: string;
  /** Whether a retry may succeed. */
  readonly isTemporary: boolean;
  /** The filter that caused the error and can be removed. */
  readonly filter?: string;
}

/** Client errors that are temporary, besides all server errors. */
const TEMPORARY: readonly number[] = [408, 429];
const SERVER_ERROR = 500;

/** Problems that only the operator can explain, besides server errors. */
const UNEXPECTED: readonly string[] = [
  'malformed_request',
  'not_found',
  'method_not_allowed',
  'not_acceptable',
  'content_too_large',
];

/** Problems of access rights, and the filter to remove. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  publisher_forbidden: 'publisher_id',
  program_forbidden: 'program_id',
};

export function errorMessageOf(error: unknown, texts: Texts): ErrorMessage {
  const { errors } = texts;
  if (error instanceof ApiProblem) return ofProblem(error, texts);
  if (error instanceof ProviderFailure) return ofProviderFailure(error, texts);
  const isTemporary = true;
  if (error instanceof Unreachable) {
    return { ...errors[isOnline() ? 'noAnswer' : 'unreachable'], isTemporary };
  }
  if (error instanceof ConnectionCut) return { ...errors.cut, isTemporary };
  if (error instanceof UnexpectedResponse) return { ...errors.foreign, isTemporary };
  if (error instanceof InvalidToken) return { ...errors.noToken, isTemporary };
  return { ...errors.unknown, isTemporary };
}

/** Whether the device has a network. If it has one, the service is at fault. */
const isOnline = (): boolean => 'onLine' in navigator && navigator.onLine === true;

/** Failures of the provider's sign-in after which the page can look for the provider again. */
const TEMPORARY_FAILURES: readonly ProviderFailureKind[] = ['unavailable', 'unreachable'];

function ofProviderFailure({ kind, code }: ProviderFailure, { provider }: Texts): ErrorMessage {
  const { what, next } = provider.failures[kind];
  const said = code === undefined ? [] : [provider.code(code)];
  return { what, next: [...said, next].join(' '), isTemporary: TEMPORARY_FAILURES.includes(kind) };
}

type Explanation = Pick<ErrorMessage, 'what' | 'next'>;

function ofProblem(problem: ApiProblem, texts: Texts): ErrorMessage {
  const { code, errors, requestId, status } = problem;
  const { codes, other, unknown } = texts.errors;
  const known: Readonly<Record<string, Explanation>> = codes;
  const words = Object.hasOwn(known, code) ? known[code] : undefined;
  const { what, next } = words ?? { what: unknown.what, next: other(code) };
  const faults = errors.map(({ parameter }) => faultOf(parameter, texts));
  const filter = FORBIDDEN[code];
  const isUnexpected = words === undefined || UNEXPECTED.includes(code);
  return {
    what,
    next: [waitOf(problem, texts) ?? next, ...faults].join(' '),
    ...(isUnexpected || status >= SERVER_ERROR ? { requestId } : {}),
    ...(filter === undefined ? {} : { filter }),
    isTemporary: status >= SERVER_ERROR || TEMPORARY.includes(status),
  };
}

/** The waiting time is shown only for the limit of requests per minute. */
const waitOf = ({ code, retryAfter }: ApiProblem, { errors }: Texts): string | undefined =>
  code === 'too_many_requests' && retryAfter !== undefined
    ? errors.wait(Math.max(1, Math.ceil(retryAfter)))
    : undefined;

/** The hint for an invalid parameter. The service sends one too, but only in English. */
function faultOf(parameter: string, texts: Texts): string {
  const name = fieldLabel(parameter, texts);
  return FILTER_NAMES.includes(parameter)
    ? `${name}: ${hintForSent(parameter, texts)}`
    : `${name}.`;
}

/** Whether the token is no longer valid. */
export const endsAccess = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status === 401;
