/** How many events a row stands for: most rows count the events of one hour, device and support. */

import { assertNever } from '../../contract/assert-never.ts';
import type { Random } from '../random/random.ts';
import type { TrackingEvent } from './tracking-event.ts';

/** A row stands for many impressions, clicks or double clicks, or for one visit. */
export type RowForm = 'impressions' | 'clics' | 'dbclicks' | 'visit';

/** The shares of the forms, in percent of transactions. Leads and sales are the rest: most visits lead to one. */
export const FORM_WEIGHTS: { readonly [form in RowForm]: number } = {
  impressions: 34,
  clics: 14,
  dbclicks: 6,
  visit: 24,
};

const MEDIAN_IMPRESSIONS = 900;

/** The popularity of a website with the median number of impressions per hour. */
const USUAL_POPULARITY = 1 / 600;

const DOUBLE_CLICK_RATE = 0.035;

/** The field `total`: 1 for a click with a row of its own; null for leads and sales, which are single actions. */
export function totalOf(event: TrackingEvent, random: Random): number | null {
  const { kind, website, support, visit } = event;
  if (visit !== null) return kind === 'clics' ? 1 : null;
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

/**
 * How many rows of impressions there are for each row of a form. Each row of clicks counts that many times more
 * clicks, so that the click rate stays the same.
 */
const fewerRows = (form: RowForm): number => FORM_WEIGHTS.impressions / FORM_WEIGHTS[form];
