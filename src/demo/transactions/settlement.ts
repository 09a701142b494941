/** Invoices to the advertisers and payments to the affiliates, one a month for each of them. */

import { ACTIONS } from '../../contract/record/kinds.ts';
import type { Platform } from '../platform/demo-platform.ts';
import { DAY } from '../random/wall-clock.ts';
import type { DemoTransaction, Occasion } from './occasion.ts';

type Settlement = Pick<DemoTransaction, 'invoice_id' | 'payment_id'>;

/** Later than any validation. */
const SECONDS_TO_SETTLE = 60 * DAY;

const UNSETTLED: Settlement = { invoice_id: null, payment_id: null };

/** The documents in which a transaction stands at the moment `now`, on the wall clock. */
export function settlementOf(
  { kind, moment, program, website }: Occasion,
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

/** Numbers run through the year: month by month, and in each month from the first to the last. */
function documentId(prefix: string, moment: number, place: number, places: number): string {
  const date = new Date(moment * 1000);
  const number = date.getUTCMonth() * places + place + 1;
  return `${prefix}-${date.getUTCFullYear()}-${String(number).padStart(4, '0')}`;
}
