/** Parses intervals of time such as `1m`, for `--every` and `--overlap`. */

import { UserError } from '../../user-error.ts';

const SECONDS_OF = { s: 1, m: 60, h: 3_600 } as const;

const FORM = /^([1-9]\d*)([smh])$/;

/** 24 days in milliseconds, because timers cannot wait much longer. */
const LONGEST = 24 * 24 * 3_600_000;

/** Milliseconds. */
export function readInterval(text: string, flag: '--every' | '--overlap'): number {
  const [, count, unit] = FORM.exec(text) ?? [];
  if (count !== undefined && (unit === 's' || unit === 'm' || unit === 'h')) {
    const milliseconds = Number(count) * SECONDS_OF[unit] * 1000;
    if (milliseconds <= LONGEST) return milliseconds;
  }
  throw new UserError(
    `${flag} must be a whole number of seconds, minutes or hours, from 1s to 576h, not ${JSON.stringify(text)}.`,
    `${flag} 30s, ${flag} 5m or ${flag} 1h`,
  );
}
