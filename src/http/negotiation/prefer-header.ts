/** What a client prefers of an answer (RFC 7240). */

/** A preference among others, its value perhaps in quotes, perhaps with parameters of its own. */
const EXACT_COUNT = /(?:^|,)\s*count\s*=\s*(?:exact|"exact")\s*(?:[;,]|$)/i;

/** Whether the number of all records is wanted in a header. */
export const wantsCount = (prefer: string | readonly string[] | undefined): boolean =>
  EXACT_COUNT.test([prefer ?? []].flat().join(', '));
