/** Parses `--since`. */

import { Temporal } from 'temporal-polyfill';
import type { Since } from '../../connectors/dialect.ts';
import { UserError } from '../../user-error.ts';

const FORM = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?(Z|[+-]\d{2}:\d{2})?)?$/;

/** The instant of a date; without an offset it is in the given time zone. */
export function readSince(text: string, timeZone: string, flag = '--since'): Since {
  try {
    const instant = instantOf(text, timeZone);
    const shown = earliestClock(instant.toZonedDateTimeISO(timeZone));
    return {
      instant: Math.floor(instant.epochMilliseconds / 1000),
      clock: shown.toString({ fractionalSecondDigits: 0 }).replace('T', ' '),
    };
  } catch (cause) {
    throw new UserError(
      `${flag} is not understood: ${JSON.stringify(text)}.`,
      'Write a date that exists, such as 2026-03-01, "2026-03-01 14:00:00" or 2026-03-01T14:00:00Z.',
      { cause },
    );
  }
}

function instantOf(text: string, timeZone: string): Temporal.Instant {
  const offset = FORM.exec(text);
  if (offset === null) throw new RangeError('It has another form.');
  if (offset[1] !== undefined) return Temporal.Instant.from(text.replace(' ', 'T'));
  return Temporal.PlainDateTime.from(text.replace(' ', 'T'), { overflow: 'reject' })
    .toZonedDateTime(timeZone, { disambiguation: 'earlier' })
    .toInstant();
}

/**
 * The earliest local time that is shown at an instant or after it. When the clock is set back soon
 * after, it shows times before that of the instant again.
 */
function earliestClock(since: Temporal.ZonedDateTime): Temporal.PlainDateTime {
  const shown = since.toPlainDateTime();
  const change = since.getTimeZoneTransition('next')?.toPlainDateTime();
  return change !== undefined && Temporal.PlainDateTime.compare(change, shown) < 0 ? change : shown;
}
