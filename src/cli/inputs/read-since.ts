/** Parses `--since`. */

import type { Since } from '../../connectors/dialect.ts';
import { earliestWallClock } from '../../contract/query/calendar.ts';
import { INSTANT_HINT, instantOf } from '../../contract/query/instant.ts';
import { UserError } from '../../user-error.ts';

/** The instant of a date. A date without an offset is in the given time zone. */
export function readSince(text: string, timeZone: string, flag = '--since'): Since {
  try {
    const instant = Math.floor(instantOf(text, timeZone).epochMilliseconds / 1000);
    return { instant, clock: earliestWallClock(instant, timeZone) };
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
