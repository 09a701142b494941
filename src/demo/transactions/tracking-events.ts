/** Generates tracking events: when they happen, on which website, for which program. */

import { COUNTED, KINDS, type Kind } from '../../contract/record/kinds.ts';
import type { Platform } from '../platform/demo-platform.ts';
import { type Program, weightOn } from '../platform/programs.ts';
import { type HourlyVolume, hourlyVolumes } from '../random/hourly-volumes.ts';
import type { Random } from '../random/random.ts';
import { HOUR } from '../random/wall-clock.ts';
import { type Picker, pickerOf } from '../random/weighted-picker.ts';
import { KIND_WEIGHTS } from './event-counts.ts';
import type { TrackingEvent } from './tracking-event.ts';

const kindOf = pickerOf(KINDS, (kind) => KIND_WEIGHTS[kind]);

type ProgramOf = { readonly [kind in Kind]: Picker<Program> };

/** Yields the events of the year in order. */
export function* trackingEvents(
  platform: Platform,
  options: { readonly rows: number; readonly lastDay: string },
  random: Random,
): Generator<TrackingEvent> {
  let number = 0;
  let today = -1;
  let programOf = programsOn(platform, 0);
  for (const hour of hourlyVolumes(options.lastDay, options.rows)) {
    if (hour.day !== today) programOf = programsOn(platform, hour.day);
    today = hour.day;
    for (const { kind, moment } of momentsIn(hour, random)) {
      number += 1;
      const program = programOf[kind](random);
      yield { number, kind, moment, program, ...placeFor(program, random) };
    }
  }
}

function programsOn({ programs }: Platform, day: number): ProgramOf {
  const pickerFor = (kind: Kind) => pickerOf(programs, (program) => weightOn(program, kind, day));
  return {
    impressions: pickerFor('impressions'),
    clics: pickerFor('clics'),
    dbclicks: pickerFor('dbclicks'),
    leads: pickerFor('leads'),
    sales: pickerFor('sales'),
  };
}

/** Counted rows have the start of their hour as time; actions have a random second. */
function momentsIn(
  { start, rows }: HourlyVolume,
  random: Random,
): Pick<TrackingEvent, 'kind' | 'moment'>[] {
  const moments = Array.from({ length: rows }, () => {
    const kind = kindOf(random);
    return { kind, moment: COUNTED.includes(kind) ? start : start + random.integer(0, HOUR - 1) };
  });
  return moments.sort((one, other) => one.moment - other.moment);
}

function placeFor(program: Program, random: Random): Pick<TrackingEvent, 'website' | 'support'> {
  const website = program.partner(random);
  const { supports } = website;
  // Squaring favours the first supports: one of a website's supports is seen most.
  const support = supports[Math.floor(random.unit() ** 2 * supports.length)] ?? supports[0];
  return { website, support };
}
