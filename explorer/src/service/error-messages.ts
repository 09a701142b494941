/** Says in plain words why something did not work, and what to do. */

import {
  ApiProblem,
  ConnectionCut,
  UnexpectedAnswer,
  Unreachable,
} from '../../../client/src/index.ts';
import { FILTER_NAMES, nameOf, ruleOf } from '../query/filters.ts';
import type { Texts } from '../texts/texts.ts';

export interface Refusal {
  readonly what: string;
  readonly next: string;
  /** What the operator finds the request by. */
  readonly requestId?: string;
  /** Whether the same may be answered at another time. */
  readonly isPassing: boolean;
  /** The filter without which it would be answered. */
  readonly filter?: string;
}

/** The statuses of what is refused now and may be answered later: those, and what the service failed in. */
const PASSING: readonly number[] = [408, 429];
const FAILED = 500;

/** What only whoever runs the service can find the reason of, besides what it failed in. */
const STRANGE: readonly string[] = [
  'malformed_request',
  'not_found',
  'method_not_allowed',
  'not_acceptable',
  'content_too_large',
];

/** The filters that name what is somebody else's. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  publisher_forbidden: 'publisher_id',
  program_forbidden: 'program_id',
};

export function refusalOf(error: unknown, texts: Texts): Refusal {
  const { refusals } = texts;
  if (error instanceof ApiProblem) return ofProblem(error, texts);
  const isPassing = true;
  if (error instanceof Unreachable) return { ...refusals.unreachable, isPassing };
  if (error instanceof ConnectionCut) return { ...refusals.cut, isPassing };
  if (error instanceof UnexpectedAnswer) return { ...refusals.foreign, isPassing };
  if (error instanceof TypeError) return { ...refusals.noToken, isPassing };
  return { ...refusals.unknown, isPassing };
}

type Words = Pick<Refusal, 'what' | 'next'>;

function ofProblem(problem: ApiProblem, texts: Texts): Refusal {
  const { code, errors, requestId, status } = problem;
  const { codes, other, unknown } = texts.refusals;
  const known: Readonly<Record<string, Words>> = codes;
  const words = Object.hasOwn(known, code) ? known[code] : undefined;
  const { what, next } = words ?? { what: unknown.what, next: other(code) };
  const faults = errors.map(({ parameter }) => faultOf(parameter, texts));
  const filter = FORBIDDEN[code];
  const isStrange = words === undefined || STRANGE.includes(code);
  return {
    what,
    next: [waitOf(problem, texts) ?? next, ...faults].join(' '),
    ...(isStrange || status >= FAILED ? { requestId } : {}),
    ...(filter === undefined ? {} : { filter }),
    isPassing: status >= FAILED || PASSING.includes(status),
  };
}

/** The requests of a minute are the only ones of which the service knows when there are new ones. */
const waitOf = ({ code, retryAfter }: ApiProblem, { refusals }: Texts): string | undefined =>
  code === 'too_many_requests' && retryAfter !== undefined
    ? refusals.wait(Math.max(1, Math.ceil(retryAfter)))
    : undefined;

/** What is wrong with a parameter: the service says it too, but in English alone. */
function faultOf(parameter: string, texts: Texts): string {
  const name = nameOf(parameter, texts);
  return FILTER_NAMES.includes(parameter) ? `${name}: ${ruleOf(parameter, texts)}` : `${name}.`;
}

/** Whether the token is no longer good for anything. */
export const endsAccess = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status === 401;
