/** Spelling suggestions ("Did you mean …?") by edit distance. */

import { distance } from 'fastest-levenshtein';

/** The known name with the smallest edit distance, if it is small enough for a typo. */
export function nearestName(wrong: string, known: readonly string[]): string | undefined {
  const lower = wrong.trim().toLowerCase().replaceAll('-', '_');
  const ranked = known
    .map((name) => ({ name, steps: distance(lower, name.toLowerCase()) }))
    .sort((one, other) => one.steps - other.steps);
  const best = ranked[0];
  if (best === undefined) return undefined;
  return best.steps <= Math.max(2, Math.floor(best.name.length / 3)) ? best.name : undefined;
}

/** ` Did you mean "…"?`, or nothing. */
export function suggestionFor(wrong: string, known: readonly string[]): string {
  const name = nearestName(wrong, known);
  return name === undefined ? '' : ` Did you mean "${name}"?`;
}
