/** Samples of cases for `npm test`, by rule. A full run has all of them. */

import { IS_FULL } from './test-extent.ts';

/**
 * Few cases in which each value of each property occurs. Takes the case with the most new values, until no case
 * has any. The property with the most values decides the number of cases: about one for each of its values.
 */
export function sampled<Case>(
  cases: readonly Case[],
  ...properties: readonly ((one: Case) => unknown)[]
): readonly Case[] {
  return IS_FULL ? cases : coveringSample(cases, properties);
}

function coveringSample<Case>(
  cases: readonly Case[],
  properties: readonly ((one: Case) => unknown)[],
): readonly Case[] {
  const seen = properties.map(() => new Set<unknown>());
  const newIn = (one: Case) =>
    properties.filter((property, at) => seen[at]?.has(property(one)) === false).length;
  const sample: Case[] = [];
  for (;;) {
    const most = Math.max(0, ...cases.map(newIn));
    const next = cases.find((one) => newIn(one) === most);
    if (most === 0 || next === undefined) return sample;
    sample.push(next);
    for (const [at, property] of properties.entries()) seen[at]?.add(property(next));
  }
}

/** Every n-th case, and at least one. Callers with consecutive numbers get different cases, and n callers get all. */
export function everyNth<Case>(cases: readonly Case[], n: number, caller = 0): readonly Case[] {
  const step = Math.min(n, cases.length);
  return IS_FULL ? cases : cases.filter((_, at) => at % step === (caller + step) % step);
}
