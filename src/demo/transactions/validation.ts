/** The status of a transaction: validated, refused or pending. */

import { ACTIONS } from '../../contract/record/kinds.ts';
import type { Random } from '../random/random.ts';
import { DAY, HOUR, momentText } from '../random/wall-clock.ts';
import type { DemoTransaction, TrackingEvent } from './tracking-event.ts';

type Validation = Pick<DemoTransaction, 'status' | 'validation_date' | 'updated_at'>;

/** The share of rows of impressions and clicks that are reviewed, and how many of these are refused. */
const SUSPICIOUS = 0.03;
const REFUSED_OF_SUSPICIOUS = 0.6;

/** The status of a transaction at the time `now`. */
export function validationOf(event: TrackingEvent, now: number, random: Random): Validation {
  return ACTIONS.includes(event.kind)
    ? validationOfLeadOrSale(event, now, random)
    : validationOfCount(event, now, random);
}

/** Advertisers decide in office hours, after the period in which goods may be returned. */
function validationOfLeadOrSale(
  { moment, program }: TrackingEvent,
  now: number,
  random: Random,
): Validation {
  const refused = random.chance(program.refusalRate);
  const days = 6 + Math.floor(37 * random.unit() ** 1.5);
  return decided(moment, officeHour(moment, days, random), refused, now);
}

function validationOfCount({ moment }: TrackingEvent, now: number, random: Random): Validation {
  if (!random.chance(SUSPICIOUS)) return decided(moment, moment, false, now);
  const refused = random.chance(REFUSED_OF_SUSPICIOUS);
  return decided(moment, officeHour(moment, random.integer(1, 3), random), refused, now);
}

function decided(moment: number, decision: number, refused: boolean, now: number): Validation {
  if (decision > now) {
    return { status: '2', validation_date: null, updated_at: momentText(moment) };
  }
  const date = momentText(decision);
  return refused
    ? { status: '0', validation_date: null, updated_at: date }
    : { status: '1', validation_date: date, updated_at: date };
}

/** A time between 08:00 and 19:00, `days` days later or on the Monday after, if that day is on a weekend. */
function officeHour(moment: number, days: number, random: Random): number {
  const midnight = moment - (moment % DAY) + days * DAY;
  const weekday = new Date(midnight * 1000).getUTCDay();
  const toMonday = weekday === 6 ? 2 : weekday === 0 ? 1 : 0;
  return midnight + toMonday * DAY + random.integer(8 * HOUR, 19 * HOUR - 1);
}
