/** The header `Prefer` (RFC 7240). */

/** Matches `count=exact` among several preferences. Its value may be quoted and may have parameters. */
const EXACT_COUNT = /(?:^|,)\s*count\s*=\s*(?:exact|"exact")\s*(?:[;,]|$)/i;

/** Whether the client asks for the number of all records. */
export const wantsCount = (prefer: string | readonly string[] | undefined): boolean =>
  EXACT_COUNT.test([prefer ?? []].flat().join(', '));
