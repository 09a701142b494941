/** Generates visits: who clicks, from which page, under which sub id. */

import type { Campaign } from '../platform/placements.ts';
import type { Random } from '../random/random.ts';
import { DAY, HOUR } from '../random/wall-clock.ts';
import { pickerOf } from '../random/weighted-picker.ts';
import { pageOn } from './referers.ts';
import type { Placement, Visit } from './tracking-event.ts';
import { addressOf, buyerOf, visitorOf } from './visitors.ts';

/** Seconds in which a click may lead to a sale: 30 days, less an hour, because clocks may go back meanwhile. */
export const COOKIE_WINDOW = 30 * DAY - HOUR;

/** The share of events whose tracking link has a sub id. */
const WITH_CAMPAIGN = 0.6;

/** `buys` says whether the visit leads to a lead or a sale. Some campaigns and devices have more such visits. */
export function visitOf(
  { program, website }: Placement,
  clickedAt: number,
  buys: boolean,
  random: Random,
): Visit {
  const subid = buys ? sellingCampaign(website.campaigns, random) : anyCampaign(website, random);
  return {
    clickedAt,
    fields: {
      ip_address: random.chance(0.98) ? addressOf(random) : null,
      clickid: random.chance(0.97) ? random.hex(4) : null,
      subid,
      ...(buys ? buyerOf(random) : visitorOf(random)),
      referer: pageOn(website, program, random),
    },
  };
}

export function anyCampaign(
  { campaigns }: { readonly campaigns: readonly Campaign[] },
  random: Random,
): string | null {
  if (!random.chance(WITH_CAMPAIGN)) return null;
  return campaigns[random.integer(0, campaigns.length - 1)]?.name ?? null;
}

function sellingCampaign(campaigns: readonly Campaign[], random: Random): string | null {
  if (campaigns.length === 0 || !random.chance(WITH_CAMPAIGN)) return null;
  return pickerOf(campaigns, ({ appeal }) => appeal)(random).name;
}

/** Seconds from the click to the lead or sale: mostly less than an hour, sometimes weeks. */
export const secondsToDecide = (random: Random): number =>
  Math.min(Math.floor(30 + random.logNormal(25 * 60, 1.9)), COOKIE_WINDOW);
