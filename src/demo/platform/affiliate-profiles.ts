/** Affiliates of the demo, and the domains of their websites. */

import type { Locale } from '../../contract/record/labels.ts';
import type { Random } from '../random/random.ts';
import { type Domain, themedDomains } from './domains.ts';

export interface AffiliateProfile {
  readonly name: string;
  readonly locale: Locale;
  readonly domains: readonly Domain[];
}

const aboutEverything = (name: string): Domain => ({ name });

const LEADING: readonly AffiliateProfile[] = [
  {
    name: 'Bons Plans Médias',
    locale: 'fr',
    domains: ['bons-plans', 'codes-du-jour', 'cashback-malin', 'le-comparateur'].map(
      aboutEverything,
    ),
  },
  {
    name: 'Savvy Deals',
    locale: 'en',
    domains: ['savvy-deals', 'voucher-corner', 'best-price-guide'].map(aboutEverything),
  },
];

const LOCALES_OF_OTHERS = ['fr', 'fr', 'fr', 'fr', 'fr', 'fr', 'fr', 'en', 'de', 'es'] as const;

/** Affiliates with one to four websites each, the most active first. */
export function affiliateProfiles(random: Random): readonly AffiliateProfile[] {
  const lines = [...LEADING];
  const domains = [...themedDomains()];
  while (domains.length > 0) {
    const owned = domains.splice(0, random.integer(1, 4));
    const name = titleOf(owned[0]?.name ?? '');
    lines.push({ name, locale: random.oneOf(LOCALES_OF_OTHERS), domains: owned });
  }
  return lines;
}

const titleOf = (domain: string): string =>
  domain
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
