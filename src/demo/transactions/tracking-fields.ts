/** Fields that come from the tracking link and the visitor's browser. */

import { ACTIONS } from '../../contract/record/kinds.ts';
import type { Random } from '../random/random.ts';
import type { DemoTransaction, TrackingEvent } from './tracking-event.ts';
import { addressOf } from './visitors.ts';

type TrackingFields = Pick<DemoTransaction, 'ip_address' | 'pid' | 'clickid' | 'subid' | 'token'>;

/** `total` is null for actions. A row that counts several events has no single address or click. */
export function trackingOf(
  { kind, website }: TrackingEvent,
  total: number | null,
  random: Random,
): TrackingFields {
  const isOneEvent = total === null || (total === 1 && kind !== 'impressions');
  const isAction = ACTIONS.includes(kind);
  return {
    ip_address: isOneEvent && random.chance(0.98) ? addressOf(random) : null,
    pid: random.chance(0.07) ? `p${random.integer(1_000, 99_999)}` : null,
    clickid: isOneEvent && random.chance(0.97) ? random.hex(4) : null,
    subid: random.chance(0.6) ? campaignOf(website.campaigns, random) : null,
    token: isAction && random.chance(0.06) ? random.hex(2) : null,
  };
}

const campaignOf = (campaigns: readonly string[], random: Random): string | null =>
  campaigns[random.integer(0, campaigns.length - 1)] ?? null;
