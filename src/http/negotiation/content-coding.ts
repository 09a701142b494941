/** The coding in which an answer is sent: of those that the client takes the fastest (RFC 9110, 12.5.3). */

import { Problem } from '../../contract/problems/problems.ts';

/** In the order in which they are used where the client has no preference. */
export const COMPRESSIONS = ['zstd', 'br', 'gzip'] as const;

export type Compression = (typeof COMPRESSIONS)[number];

export type Coding = Compression | 'identity';

export const TEXT_CODINGS: readonly Coding[] = [...COMPRESSIONS, 'identity'];

/**
 * The best of the offered codings by a header `Accept-Encoding`; throws the problem
 * `not_acceptable` where the client takes none of them.
 */
export function contentCoding(
  accept: string | undefined,
  offered: readonly Coding[] = TEXT_CODINGS,
): Coding {
  const qualityOf = qualitiesIn(accept);
  const [best] = offered
    .filter((coding) => qualityOf(coding) > 0)
    .toSorted((one, other) => qualityOf(other) - qualityOf(one));
  if (best === undefined) throw new Problem('not_acceptable');
  return best;
}

/** Whether the client takes what is not compressed. */
export const takesAsIs = (accept: string | undefined): boolean =>
  qualitiesIn(accept)('identity') > 0;

/** What nobody has named or refused may be sent, after everything that was named. */
const UNNAMED = Number.MIN_VALUE;

/** How much the client likes a coding, from 0 for not at all to 1. */
function qualitiesIn(accept = ''): (coding: Coding) => number {
  const entries = accept.split(',').map((entry) => {
    const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => /^q=[01](\.\d*)?$/.test(parameter));
    return [coding, quality === undefined ? 1 : Number(quality.slice(2))] as const;
  });
  const named = new Map<string, number>(entries);
  return (coding) => named.get(coding) ?? named.get('*') ?? (coding === 'identity' ? UNNAMED : 0);
}
