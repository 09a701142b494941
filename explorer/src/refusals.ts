/** Says in plain words why something did not work, and what to do. */

import {
  ApiProblem,
  ConnectionCut,
  UnexpectedAnswer,
  Unreachable,
} from '../../client/src/index.ts';
import type { Texts } from './texts/texts.ts';

export interface Refusal {
  readonly what: string;
  readonly next: string;
  /** What the operator finds the request by. */
  readonly requestId?: string;
}

export function refusalOf(error: unknown, { refusals }: Texts): Refusal {
  if (error instanceof ApiProblem) return ofProblem(error, refusals);
  if (error instanceof Unreachable) return refusals.unreachable;
  if (error instanceof ConnectionCut) return refusals.cut;
  if (error instanceof UnexpectedAnswer) return refusals.foreign;
  if (error instanceof TypeError) return refusals.noToken;
  return refusals.unknown;
}

function ofProblem(problem: ApiProblem, refusals: Texts['refusals']): Refusal {
  const { code, errors, requestId, detail, title } = problem;
  const known: Readonly<Record<string, Refusal>> = refusals.codes;
  const faults = errors.map((fault) => `${fault.parameter}: ${fault.detail}`).join(' ');
  const refusal = known[code] ?? { what: title, next: detail };
  return { ...refusal, ...(faults === '' ? {} : { next: `${refusal.next} ${faults}` }), requestId };
}

/** Whether the token is no longer good for anything. */
export const endsAccess = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status === 401;
