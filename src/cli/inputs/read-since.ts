/** Parses `--since`. */

import { Temporal } from 'temporal-polyfill';
import type { Since } from '../../connectors/dialect.ts';
import { INSTANT_HINT, instantOf } from '../../contract/query/instant.ts';
import { UserError } from '../../user-error.ts';

/** The instant of a date. A date without an offset is in the given time zone. */
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
      `${flag} is not a valid date or time: ${JSON.stringify(text)}.`,
      INSTANT_HINT,
      {
        cause,
      },
    );
  }
}

/**
 * The earliest local time at an instant or after it. It is before the local time of the instant only if
 * the clock is turned back soon afterwards.
 */
function earliestClock(since: Temporal.ZonedDateTime): Temporal.PlainDateTime {
  const shown = since.toPlainDateTime();
  const change = since.getTimeZoneTransition('next')?.toPlainDateTime();
  return change !== undefined && Temporal.PlainDateTime.compare(change, shown) < 0 ? change : shown;
}
