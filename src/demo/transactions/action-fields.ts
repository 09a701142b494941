/** Fields of leads and sales: order, user and target. */

import { ACTIONS } from '../../contract/record/kinds.ts';
import type { Random } from '../random/random.ts';
import type { DemoTransaction, TrackingEvent } from './tracking-event.ts';

type ActionFields = Pick<DemoTransaction, 'orderid' | 'userid' | 'target'>;

const NO_ACTION: ActionFields = { orderid: null, userid: null, target: null };

/** The share of guests, who order without an account. */
const GUESTS = 0.3;

export function actionOf({ kind, number, program }: TrackingEvent, random: Random): ActionFields {
  if (!ACTIONS.includes(kind)) return NO_ACTION;
  const { commission } = program;
  return {
    // Order ids have gaps, because not all orders of an advertiser come from publishers.
    orderid: program.id * 10_000_000 + number,
    userid: random.chance(GUESTS) ? null : random.integer(10_000, 4_000_000),
    target: 'target' in commission ? commission.target : null,
  };
}
