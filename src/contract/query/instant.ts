/** Instants as people write them: a date, perhaps with a time and an offset. */

import { Temporal } from 'temporal-polyfill';
import { firstSecondOfWallClock } from './calendar.ts';

const FORM = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

export const INSTANT_HINT =
  'Write a date that exists, such as 2026-03-01, "2026-03-01 14:00:00" or 2026-03-01T14:00:00Z.';

/**
 * Without an offset the text is in the given time zone. A local time that its clock repeats is the first one. One that
 * the clock skips is the next instant that exists. Throws a RangeError.
 */
export function instantOf(text: string, timeZone: string): Temporal.Instant {
  const form = FORM.exec(text);
  if (form === null) throw new RangeError('The text must be a date, or a date with a time.');
  if (form[1] !== undefined) return Temporal.Instant.from(text.replace(' ', 'T'));
  const local = Temporal.PlainDateTime.from(text.replace(' ', 'T'), { overflow: 'reject' });
  const wallClock = local.toString({ fractionalSecondDigits: 0 }).replace('T', ' ');
  const at = Temporal.Instant.fromEpochMilliseconds(
    firstSecondOfWallClock(wallClock, timeZone) * 1000,
  );
  return at.add(local.since(wallClock));
}
