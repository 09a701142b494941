/** What becomes of a transaction: validated, refused, or still waiting. */

import { ACTIONS } from '../../contract/record/kinds.ts';
import type { Random } from '../random/random.ts';
import { DAY, HOUR, momentText } from '../random/wall-clock.ts';
import type { DemoTransaction, Occasion } from './occasion.ts';

type Verdict = Pick<DemoTransaction, 'status' | 'validation_date' | 'updated_at'>;

/** The share of counted rows that somebody looks into, and how many of these are refused. */
const SUSPICIOUS = 0.03;
const REFUSED_OF_SUSPICIOUS = 0.6;

/** The state of a transaction at the moment `now`, on the wall clock. */
export function verdictOf(occasion: Occasion, now: number, random: Random): Verdict {
  return ACTIONS.includes(occasion.kind)
    ? verdictOnAction(occasion, now, random)
    : verdictOnCount(occasion, now, random);
}

/** Advertisers decide in office hours, after the time in which goods may come back. */
function verdictOnAction({ moment, program }: Occasion, now: number, random: Random): Verdict {
  const refused = random.chance(program.refusalRate);
  const days = 6 + Math.floor(37 * random.unit() ** 1.5);
  return decided(moment, officeHour(moment, days, random), refused, now);
}

function verdictOnCount({ moment }: Occasion, now: number, random: Random): Verdict {
  if (!random.chance(SUSPICIOUS)) return decided(moment, moment, false, now);
  const refused = random.chance(REFUSED_OF_SUSPICIOUS);
  return decided(moment, officeHour(moment, random.integer(1, 3), random), refused, now);
}

function decided(moment: number, decision: number, refused: boolean, now: number): Verdict {
  if (decision > now) {
    return { status: '2', validation_date: null, updated_at: momentText(moment) };
  }
  const date = momentText(decision);
  return refused
    ? { status: '0', validation_date: null, updated_at: date }
    : { status: '1', validation_date: date, updated_at: date };
}

/** Between 8 and 19 o'clock so many days later, or on the Monday after. */
function officeHour(moment: number, days: number, random: Random): number {
  const midnight = moment - (moment % DAY) + days * DAY;
  const weekday = new Date(midnight * 1000).getUTCDay();
  const toMonday = weekday === 6 ? 2 : weekday === 0 ? 1 : 0;
  return midnight + toMonday * DAY + random.integer(8 * HOUR, 19 * HOUR - 1);
}
