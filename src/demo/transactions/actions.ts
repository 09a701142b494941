/** The order, the user and the target of a lead or a sale. */

import { ACTIONS } from '../../contract/record/kinds.ts';
import type { Random } from '../random/random.ts';
import type { DemoTransaction, Occasion } from './occasion.ts';

type ActionFields = Pick<DemoTransaction, 'orderid' | 'userid' | 'target'>;

const NO_ACTION: ActionFields = { orderid: null, userid: null, target: null };

/** Guests, who order without an account, have no user. */
const GUESTS = 0.3;

export function actionOf({ kind, number, program }: Occasion, random: Random): ActionFields {
  if (!ACTIONS.includes(kind)) return NO_ACTION;
  const { commission } = program;
  return {
    // An advertiser's orders are numbered as they come; not all of them come from publishers.
    orderid: program.id * 10_000_000 + number,
    userid: random.chance(GUESTS) ? null : random.integer(10_000, 4_000_000),
    target: 'target' in commission ? commission.target : null,
  };
}
