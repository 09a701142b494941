/** Fields that come from the tracking link and the visitor's browser. */

import { ACTIONS } from '../../contract/record/kinds.ts';
import type { Random } from '../random/random.ts';
import { pageOn } from './referers.ts';
import type { DemoTransaction, TrackingEvent, Visit } from './tracking-event.ts';
import { visitorOf } from './visitors.ts';
import { anyCampaign } from './visits.ts';

type TrackingFields = Visit['fields'] & Pick<DemoTransaction, 'pid' | 'token'>;

export function trackingOf(event: TrackingEvent, random: Random): TrackingFields {
  const isAction = ACTIONS.includes(event.kind);
  return {
    ...(event.visit?.fields ?? countedFields(event, random)),
    pid: random.chance(0.07) ? `p${random.integer(1_000, 99_999)}` : null,
    token: isAction && random.chance(0.06) ? random.hex(2) : null,
  };
}

/** A row that counts several events has no single address or click. */
const countedFields = ({ program, website }: TrackingEvent, random: Random): Visit['fields'] => ({
  ip_address: null,
  clickid: null,
  subid: anyCampaign(website, random),
  ...visitorOf(random),
  referer: pageOn(website, program, random),
});
