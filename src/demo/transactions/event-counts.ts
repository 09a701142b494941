/** The number of events in a counted row, which stands for one hour, device and support. */

import { assertNever } from '../../contract/assert-never.ts';
import type { Kind } from '../../contract/record/kinds.ts';
import type { Random } from '../random/random.ts';
import type { TrackingEvent } from './tracking-event.ts';

/** The share of each type, in percent of transactions. */
export const KIND_WEIGHTS: { readonly [kind in Kind]: number } = {
  impressions: 40,
  clics: 25,
  dbclicks: 8,
  leads: 12,
  sales: 15,
};

const MEDIAN_IMPRESSIONS = 900;

/** The popularity of a website with the median number of impressions per hour. */
const USUAL_POPULARITY = 1 / 600;

const DOUBLE_CLICK_RATE = 0.035;

/** Null for leads and sales, which are single actions. */
export function totalOf({ kind, website, support }: TrackingEvent, random: Random): number | null {
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

/** There are fewer rows of clicks than of impressions, so each must count more to keep the ratio of sums. */
const fewerRows = (kind: Kind): number => KIND_WEIGHTS.impressions / KIND_WEIGHTS[kind];
