/** Says in plain words why something did not work, and what to do. */

import {
  ApiProblem,
  ConnectionCut,
  UnexpectedAnswer,
  Unreachable,
} from '../../client/src/index.ts';
import { FILTER_NAMES, nameOf, ruleOf } from './filters.ts';
import type { Texts } from './texts/texts.ts';

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

/** What stays refused however often it is asked. */
const LASTING: readonly string[] = [
  'invalid_parameters',
  'uri_too_long',
  'headers_too_large',
  'wrong_role',
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

function ofProblem({ code, errors, requestId, status }: ApiProblem, texts: Texts): Refusal {
  const { codes, other, unknown } = texts.refusals;
  const known: Readonly<Record<string, Words>> = codes;
  const { what, next } = (Object.hasOwn(known, code) ? known[code] : undefined) ?? {
    what: unknown.what,
    next: other(code),
  };
  const faults = errors.map(({ parameter }) => faultOf(parameter, texts));
  const filter = FORBIDDEN[code];
  return {
    what,
    next: [next, ...faults].join(' '),
    // Nobody needs the operator to see that a token is no longer good.
    ...(status === 401 ? {} : { requestId }),
    ...(filter === undefined ? {} : { filter }),
    isPassing: filter === undefined && !LASTING.includes(code),
  };
}

/** What is wrong with a parameter: the service says it too, but in English alone. */
function faultOf(parameter: string, texts: Texts): string {
  const name = nameOf(parameter, texts);
  return FILTER_NAMES.includes(parameter) ? `${name}: ${ruleOf(parameter, texts)}` : `${name}.`;
}

/** Whether the token is no longer good for anything. */
export const endsAccess = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status === 401;
