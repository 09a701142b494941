/** Spelling suggestions ("Did you mean …?") by edit distance. */

import { distance } from 'fastest-levenshtein';

/** The known name with the smallest edit distance, if it is small enough for a typo. */
export function nearestName(wrong: string, known: readonly string[]): string | undefined {
  const lower = wrong.trim().toLowerCase().replaceAll('-', '_');
  // A long text could take seconds to compare, and has at least as many typos as additional characters.
  const longest = known.reduce((most, name) => Math.max(most, name.toLowerCase().length), 0);
  if (lower.length > longest + mostSteps(longest)) return undefined;
  const ranked = known
    .map((name) => ({ name, steps: distance(lower, name.toLowerCase()) }))
    .sort((one, other) => one.steps - other.steps);
  const best = ranked[0];
  if (best === undefined) return undefined;
  return best.steps <= mostSteps(best.name.length) ? best.name : undefined;
}

/** The largest edit distance that counts as a typo of a name with this length. */
const mostSteps = (length: number): number => Math.max(2, Math.floor(length / 3));

/** Letters of the shortest name that may have a typo. Shorter names are often alike. */
const SHORTEST_MISSPELLED = 5;

/**
 * Whether two different names surely mean the same: they differ only in case and separators, or in one letter. Names
 * with different digits are different.
 */
export function isTypo(one: string, other: string): boolean {
  const [left, right] = [lettersOf(one), lettersOf(other)];
  if (left === right) return left !== '';
  const isLong = Math.min(left.length, right.length) >= SHORTEST_MISSPELLED;
  return isLong && digitsOf(left) === digitsOf(right) && distance(left, right) === 1;
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const digitsOf = (name: string): string => name.replaceAll(/\D/g, '');

/** ` Did you mean "…"?`, or nothing. */
export function suggestionFor(wrong: string, known: readonly string[]): string {
  const name = nearestName(wrong, known);
  return name === undefined ? '' : didYouMean([name]);
}

export const didYouMean = (names: readonly string[]): string =>
  ` Did you mean ${names.map((name) => `"${name}"`).join(', ')}?`;

/** The maximum number of items of a list that is suggested as a whole. */
export const MAX_ITEMS = 10;

/** The list with commas, if it was written with other separators, as in `1;2`, `1|2` or `[1,2]`. */
export function listWithCommas(
  text: string,
  isRight: (item: string) => boolean,
): string | undefined {
  const items = text.split(/[\s,;|[\](){}"']+/).filter((item) => item !== '');
  const isList = items.length > 1 && items.length <= MAX_ITEMS && items.every(isRight);
  return isList ? items.join(',') : undefined;
}
