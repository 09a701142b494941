/** Whether the numbers of a time bucket are incomplete: it is not over, or the data end before it. */

import type { Bucket } from './granularity.ts';
import type { LatestHour } from './latest-hour.ts';

/** `open`: the bucket is not over. `missing`: the data end before it. */
export type Incompleteness = 'open' | 'missing';

export interface Clock {
  readonly timeZone: string;
  /** `YYYY-MM-DD HH:MM` in the time zone. */
  readonly now: string;
  /** Undefined until it is known. */
  readonly latest: LatestHour | undefined;
}

/** Length of `YYYY-MM-DD HH`. */
const HOUR = 13;

export function incompletenessOf(
  { name, days }: Bucket,
  { now, latest }: Pick<Clock, 'now' | 'latest'>,
): Incompleteness | undefined {
  const isHour = name.length >= HOUR;
  const start = isHour ? name : `${days.start} 00:00`;
  const end = isHour ? `${name.slice(0, HOUR)}:59` : `${days.end} 23:59`;
  if (now < start) return undefined;
  if (now <= end) return 'open';
  if (latest === undefined) return undefined;
  const isMissing = latest.hour === undefined ? start >= latest.since : start > latest.hour;
  return isMissing ? 'missing' : undefined;
}
