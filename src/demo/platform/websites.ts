/** The publishers' side of the platform: websites, and the places on them. */

import type { Random } from '../random/random.ts';
import type { AffiliateLine } from './affiliate-lines.ts';
import type { Domain } from './domains.ts';
import { CAMPAIGNS, FORMATS } from './placements.ts';

/** A place on a website, with the share of its impressions that is clicked. */
export interface Support {
  readonly id: number;
  readonly clickRate: number;
}

export interface Website {
  readonly id: number;
  readonly domain: Domain;
  /** The place of its affiliate in the list of affiliates. */
  readonly owner: number;
  /** A share of the platform's whole activity. */
  readonly popularity: number;
  readonly supports: readonly [Support, ...Support[]];
  /** The names that the affiliate gives as sub ids, if any. */
  readonly campaigns: readonly string[];
}

type WebsiteLine = Pick<Website, 'domain' | 'owner' | 'popularity'>;

/** The websites of all affiliates; few have most of the visitors, most have few. */
export function websitesOf(
  affiliates: readonly AffiliateLine[],
  random: Random,
): readonly Website[] {
  const wholes = sharesOf(affiliates.map((_, rank) => 1 / (rank + 3)));
  const lines = affiliates.flatMap(({ domains }, owner): WebsiteLine[] => {
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

function website(at: number, line: WebsiteLine, random: Random): Website {
  // 3571 is a prime: identifiers are all different, and say nothing about the popularity.
  const id = 1_000 + (((at + 1) * 3_571) % 9_000);
  const support = (place: number): Support => ({
    id: id * 10 + place,
    clickRate: random.oneOf(FORMATS).clickRate,
  });
  const others = Array.from({ length: random.integer(1, 5) }, (_, place) => support(place + 1));
  const campaigns = CAMPAIGNS.filter(() => random.chance(0.15));
  return { id, ...line, supports: [support(0), ...others], campaigns };
}
