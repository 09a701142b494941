/** An invented affiliate-marketing platform: its programs, affiliates and websites. */

import type { Locale } from '../../contract/record/labels.ts';
import { Random } from '../random/random.ts';
import { affiliateProfiles } from './affiliate-profiles.ts';
import { type Program, programsWith } from './programs.ts';
import { type Website, websitesOf } from './websites.ts';

/** The owner of some websites. */
export interface Affiliate {
  readonly name: string;
  readonly locale: Locale;
  readonly publisherIds: readonly number[];
}

export interface Platform {
  readonly programs: readonly Program[];
  readonly websites: readonly Website[];
  /** The most active first. The first affiliate is French, the second is English. */
  readonly affiliates: readonly Affiliate[];
}

const SEED = 20_240_229;

/** The result is the same on every call. */
export function demoPlatform(): Platform {
  const random = new Random(SEED);
  const lines = affiliateProfiles(random);
  const websites = websitesOf(lines, random);
  const affiliates = lines.map(({ name, locale }, at) => ({
    name,
    locale,
    publisherIds: websites.filter(({ owner }) => owner === at).map(({ id }) => id),
  }));
  return { programs: programsWith(websites, random), websites, affiliates };
}
