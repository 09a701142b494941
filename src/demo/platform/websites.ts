/** Websites of the publishers, and their supports. */

import type { Random } from '../random/random.ts';
import type { AffiliateProfile } from './affiliate-profiles.ts';
import type { Domain } from './domains.ts';
import { CAMPAIGNS, type Campaign, FORMATS } from './placements.ts';

/** A place for advertisements on a website, with its click rate. */
export interface Support {
  readonly id: number;
  /** The format of its advertisements. */
  readonly format: string;
  readonly clickRate: number;
}

export interface Website {
  readonly id: number;
  readonly domain: Domain;
  /** The index of its affiliate. */
  readonly owner: number;
  /** The share of all activity on the platform. */
  readonly popularity: number;
  readonly supports: readonly [Support, ...Support[]];
  readonly campaigns: readonly Campaign[];
}

type WebsiteProfile = Pick<Website, 'domain' | 'owner' | 'popularity'>;

/** The websites of all affiliates. A few of them have most of the visitors. */
export function websitesOf(
  affiliates: readonly AffiliateProfile[],
  random: Random,
): readonly Website[] {
  const wholes = sharesOf(affiliates.map((_, rank) => 1 / (rank + 3)));
  const lines = affiliates.flatMap(({ domains }, owner): WebsiteProfile[] => {
    const parts = sharesOf(domains.map((_, rank) => 1 / (rank + 1)));
    return domains.map((domain, rank) => {
      return { domain, owner, popularity: (wholes[owner] ?? 0) * (parts[rank] ?? 0) };
    });
  });
  return lines.map((line, at) => website(at, line, random));
}

function sharesOf(weights: readonly number[]): readonly number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / all);
}

function website(at: number, line: WebsiteProfile, random: Random): Website {
  // Steps whose length is a prime number give unique identifiers that are unrelated to popularity.
  const id = 1_000 + (((at + 1) * 3_571) % 9_000);
  const support = (place: number): Support => {
    const { name: format, clickRate } = random.oneOf(FORMATS);
    return { id: id * 10 + place, format, clickRate };
  };
  const others = Array.from({ length: random.integer(1, 5) }, (_, place) => support(place + 1));
  const campaigns = CAMPAIGNS.filter(() => random.chance(0.15));
  return { id, ...line, supports: [support(0), ...others], campaigns };
}
