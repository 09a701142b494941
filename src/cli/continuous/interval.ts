/** Parses intervals of time such as `1m`, for `--every` and `--overlap`. */

import { UserError } from '../../user-error.ts';

const SECONDS_OF = { s: 1, m: 60, h: 3_600 } as const;

const FORM = /^([1-9]\d{0,3})([smh])$/;

/** Milliseconds. */
export function readInterval(text: string, flag: '--every' | '--overlap'): number {
  const [, count, unit] = FORM.exec(text) ?? [];
  if (count !== undefined && (unit === 's' || unit === 'm' || unit === 'h')) {
    return Number(count) * SECONDS_OF[unit] * 1000;
  }
  throw new UserError(
    `${flag} must be a number of seconds, minutes or hours, not ${JSON.stringify(text)}.`,
    `${flag} 30s, ${flag} 5m or ${flag} 1h`,
  );
}
