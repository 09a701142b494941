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
}

export function refusalOf(error: unknown, texts: Texts): Refusal {
  const { refusals } = texts;
  if (error instanceof ApiProblem) return ofProblem(error, texts);
  if (error instanceof Unreachable) return refusals.unreachable;
  if (error instanceof ConnectionCut) return refusals.cut;
  if (error instanceof UnexpectedAnswer) return refusals.foreign;
  if (error instanceof TypeError) return refusals.noToken;
  return refusals.unknown;
}

function ofProblem({ code, errors, requestId }: ApiProblem, texts: Texts): Refusal {
  const { codes, other, unknown } = texts.refusals;
  const known: Readonly<Record<string, Refusal>> = codes;
  const { what, next } = (Object.hasOwn(known, code) ? known[code] : undefined) ?? {
    what: unknown.what,
    next: other(code),
  };
  const faults = errors.map(({ parameter }) => faultOf(parameter, texts));
  return { what, next: [next, ...faults].join(' '), requestId };
}

/** What is wrong with a parameter: the service says it too, but in English alone. */
function faultOf(parameter: string, texts: Texts): string {
  const name = nameOf(parameter, texts);
  return FILTER_NAMES.includes(parameter) ? `${name}: ${ruleOf(parameter, texts)}` : `${name}.`;
}

/** Whether the token is no longer good for anything. */
export const endsAccess = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status === 401;
