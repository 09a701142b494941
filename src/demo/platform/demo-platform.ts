/** An invented affiliate-marketing platform: who advertises, and who publishes where. */

import type { Locale } from '../../contract/record/labels.ts';
import { Random } from '../random/random.ts';
import { affiliateLines } from './affiliate-lines.ts';
import { type Program, programsWith } from './programs.ts';
import { type Website, websitesOf } from './websites.ts';

/** Somebody who may be given a token for their own websites. */
export interface Affiliate {
  readonly name: string;
  readonly locale: Locale;
  readonly publisherIds: readonly number[];
}

export interface Platform {
  readonly programs: readonly Program[];
  readonly websites: readonly Website[];
  /** The most active ones first: a French one, then an English one. */
  readonly affiliates: readonly Affiliate[];
}

const SEED = 20_240_229;

/** The same platform at every call. */
export function demoPlatform(): Platform {
  const random = new Random(SEED);
  const lines = affiliateLines(random);
  const websites = websitesOf(lines, random);
  const affiliates = lines.map(({ name, locale }, at) => ({
    name,
    locale,
    publisherIds: websites.filter(({ owner }) => owner === at).map(({ id }) => id),
  }));
  return { programs: programsWith(websites, random), websites, affiliates };
}
