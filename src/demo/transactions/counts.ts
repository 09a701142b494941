/** How many events a counted row stands for: one hour of one device on one support. */

import { assertNever } from '../../contract/assert-never.ts';
import type { Kind } from '../../contract/record/kinds.ts';
import type { Random } from '../random/random.ts';
import type { Occasion } from './occasion.ts';

/** Of 100 transactions, how many are of which kind. */
export const KIND_WEIGHTS: { readonly [kind in Kind]: number } = {
  impressions: 40,
  clics: 25,
  dbclicks: 8,
  leads: 12,
  sales: 15,
};

const MEDIAN_IMPRESSIONS = 900;

/** The popularity at which a website's hours have the median number of impressions. */
const USUAL_POPULARITY = 1 / 600;

const DOUBLE_CLICK_RATE = 0.035;

/** Null for leads and sales, each of which is one action. */
export function totalOf({ kind, website, support }: Occasion, random: Random): number | null {
  const size = (website.popularity / USUAL_POPULARITY) ** 0.25;
  const impressions = random.logNormal(MEDIAN_IMPRESSIONS * size, 0.7);
  switch (kind) {
    case 'impressions':
      return atLeastOne(impressions);
    case 'clics':
      return atLeastOne(impressions * support.clickRate * fewerRows('clics'));
    case 'dbclicks':
      return atLeastOne(
        impressions * support.clickRate * DOUBLE_CLICK_RATE * fewerRows('dbclicks'),
      );
    case 'leads':
    case 'sales':
      return null;
    default:
      return assertNever(kind);
  }
}

const atLeastOne = (count: number): number => Math.max(1, Math.round(count));

/** Fewer rows have to hold the clicks of all impressions, so that sums keep their proportion. */
const fewerRows = (kind: Kind): number => KIND_WEIGHTS.impressions / KIND_WEIGHTS[kind];
