/** Content coding of a response, negotiated by the header `Accept-Encoding` (RFC 9110, 12.5.3). */

import Negotiator from 'negotiator';
import { Problem } from '../../contract/problems/problems.ts';

/** The fastest first, which the server prefers if the client has no preference. */
export const COMPRESSIONS = ['zstd', 'br', 'gzip'] as const;

export type Compression = (typeof COMPRESSIONS)[number];

export type Coding = Compression | 'identity';

export const TEXT_CODINGS: readonly Coding[] = [...COMPRESSIONS, 'identity'];

/**
 * The coding that the client prefers, or the first one of those that it prefers equally. Throws the
 * problem `not_acceptable` if the client accepts none of them.
 */
export function contentCoding(
  accept: string | undefined,
  offered: readonly Coding[] = TEXT_CODINGS,
): Coding {
  const [best] = acceptable(accept, offered);
  const coding = offered.find((each) => each === best);
  if (coding === undefined) {
    throw new Problem('not_acceptable', {
      hint: `The supported content codings are ${offered.join(', ')}.`,
    });
  }
  return coding;
}

/** Whether the client accepts a response without compression. */
export const acceptsIdentity = (accept: string | undefined): boolean =>
  acceptable(accept, ['identity']).length > 0;

/** The published types of negotiator lack the option `preferred`. */
interface EncodingNegotiator {
  encodings(offered: readonly string[], options: { preferred: readonly string[] }): string[];
}

/** The offered codings that the client accepts, the best first. */
function acceptable(accept: string | undefined, offered: readonly Coding[]): readonly string[] {
  const headers = { 'accept-encoding': accept };
  const negotiator: EncodingNegotiator = new Negotiator({ headers });
  const preferred = preferredCodings(accept, offered);
  return negotiator.encodings(preferred, { preferred });
}

/**
 * The offered codings in the service's order of preference. A client that accepts `*` may not know every
 * coding. So it gets one that it names, or else no compression, or else gzip.
 */
function preferredCodings(
  accept: string | undefined,
  offered: readonly Coding[],
): readonly Coding[] {
  const named: readonly string[] = accept?.toLowerCase().split(/[\s,;]+/) ?? [];
  if (!named.includes('*')) return offered;
  const known = new Set<Coding>([
    ...offered.filter((each) => named.includes(each)),
    'identity',
    'gzip',
  ]);
  return [...known].filter((each) => offered.includes(each));
}
