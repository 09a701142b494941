/** Generates tracking events: when they happen, on which website, for which program. */

import type { Kind } from '../../contract/record/kinds.ts';
import type { Platform } from '../platform/demo-platform.ts';
import { type Program, weightOn } from '../platform/programs.ts';
import { type DemoPeriod, type HourlyVolume, hourlyVolumes } from '../random/hourly-volumes.ts';
import type { Random } from '../random/random.ts';
import { HOUR } from '../random/wall-clock.ts';
import { type Picker, pickerOf } from '../random/weighted-picker.ts';
import { FORM_WEIGHTS } from './event-counts.ts';
import { ExpectedActions } from './expected-actions.ts';
import type { Placement, TrackingEvent } from './tracking-event.ts';
import { secondsToDecide, visitOf } from './visits.ts';

type Event = Omit<TrackingEvent, 'number'>;

type ProgramOf = { readonly [kind in Kind]: Picker<Program> };

const formOf = pickerOf(
  ['impressions', 'clics', 'dbclicks', 'visit'] as const,
  (form) => FORM_WEIGHTS[form],
);

/** What a visit leads to. */
const outcomeOf = pickerOf(
  [
    { outcome: 'sales', weight: 52 },
    { outcome: 'leads', weight: 40 },
    { outcome: 'nothing', weight: 8 },
  ] as const,
  ({ weight }) => weight,
);

/** Yields the events of the period in order. */
export function* trackingEvents(
  platform: Platform,
  period: DemoPeriod,
  random: Random,
): Generator<TrackingEvent> {
  const expected = new ExpectedActions();
  let number = 0;
  let today = -1;
  let programOf = programsOn(platform, period.days);
  for (const hour of hourlyVolumes(period)) {
    if (hour.daysBefore !== today) programOf = programsOn(platform, hour.daysBefore);
    today = hour.daysBefore;
    for (const event of eventsIn(hour, programOf, expected, random)) {
      number += 1;
      yield { number, ...event };
    }
  }
}

function programsOn({ programs }: Platform, daysBefore: number): ProgramOf {
  const pickerFor = (kind: Kind) =>
    pickerOf(programs, (program) => weightOn(program, kind, daysBefore));
  return {
    impressions: pickerFor('impressions'),
    clics: pickerFor('clics'),
    dbclicks: pickerFor('dbclicks'),
    leads: pickerFor('leads'),
    sales: pickerFor('sales'),
  };
}

/** Leads and sales that follow earlier visits come first; new events fill the rest of the hour's rows. */
function eventsIn(
  { start, rows }: HourlyVolume,
  programOf: ProgramOf,
  expected: ExpectedActions,
  random: Random,
): readonly Event[] {
  expected.beginHour(start);
  const events: Event[] = [];
  while (events.length < rows) {
    events.push(expected.next(random) ?? newEvent(start, programOf, expected, random));
  }
  return events.sort((one, other) => one.moment - other.moment);
}

/** A row that counts events has the start of the hour as its time; a visit has a random second. */
function newEvent(
  start: number,
  programOf: ProgramOf,
  expected: ExpectedActions,
  random: Random,
): Event {
  const form = formOf(random);
  if (form === 'visit') {
    return newVisit(start + random.integer(0, HOUR - 1), programOf, expected, random);
  }
  return { kind: form, moment: start, ...placeFor(programOf[form](random), random), visit: null };
}

function newVisit(
  moment: number,
  programOf: ProgramOf,
  expected: ExpectedActions,
  random: Random,
): Event {
  const { outcome } = outcomeOf(random);
  const acts = outcome !== 'nothing';
  const place = placeFor(programOf[acts ? outcome : 'clics'](random), random);
  const visit = visitOf(place, moment, acts, random);
  if (acts) {
    expected.add({ kind: outcome, moment: moment + secondsToDecide(random), ...place, visit });
  }
  return { kind: 'clics', moment, ...place, visit };
}

function placeFor(program: Program, random: Random): Placement {
  const website = program.partner(random);
  const { supports } = website;
  // Squaring favours the first supports, so that the first one of a website is seen most.
  const support = supports[Math.floor(random.unit() ** 2 * supports.length)] ?? supports[0];
  return { program, website, support };
}
