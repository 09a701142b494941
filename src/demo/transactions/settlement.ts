/** Monthly invoices to advertisers and payments to affiliates. */

import { ACTIONS } from '../../contract/record/kinds.ts';
import type { Platform } from '../platform/demo-platform.ts';
import { DAY } from '../random/wall-clock.ts';
import type { DemoTransaction, TrackingEvent } from './tracking-event.ts';

type Settlement = Pick<DemoTransaction, 'invoice_id' | 'payment_id'>;

/** Longer than any validation takes. */
const SECONDS_TO_SETTLE = 60 * DAY;

const UNSETTLED: Settlement = { invoice_id: null, payment_id: null };

/** The invoice and payment of a transaction at the time `now`. */
export function settlementOf(
  { kind, moment, program, website }: TrackingEvent,
  status: DemoTransaction['status'],
  now: number,
  platform: Platform,
): Settlement {
  const settled = moment + SECONDS_TO_SETTLE;
  if (status !== '1' || settled > now) return UNSETTLED;
  const { programs, affiliates } = platform;
  const invoice = ACTIONS.includes(kind)
    ? documentId('INV', settled, programs.indexOf(program), programs.length)
    : null;
  return {
    invoice_id: invoice,
    payment_id: documentId('PAY', settled, website.owner, affiliates.length),
  };
}

/** The numbers of documents begin at 1 each year and increase month by month. */
function documentId(prefix: string, moment: number, place: number, places: number): string {
  const date = new Date(moment * 1000);
  const number = date.getUTCMonth() * places + place + 1;
  return `${prefix}-${date.getUTCFullYear()}-${String(number).padStart(4, '0')}`;
}
