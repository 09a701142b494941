/** React hook for the time up to which numbers were loaded, and for the latest hour that has transactions. */

import { Temporal } from 'temporal-polyfill';
import { useExplorer } from '../access/explorer-context.tsx';
import type { Clock } from './incompleteness.ts';
import { useToday } from './today.ts';
import { useLatestHour } from './use-latest-hour.ts';

/**
 * `loadedAt` is when the numbers that are shown were loaded, in milliseconds since 1970. Undefined while they are
 * loading: the latest hour is requested after them. The page may show them for hours, and the later ones are not in
 * them.
 */
export function useClock(loadedAt: number | undefined): Clock {
  const { service } = useExplorer();
  const timeZone = service.me.time_zone;
  const latest = useLatestHour(useToday(timeZone), loadedAt !== undefined);
  const loaded = Math.min(Date.now(), loadedAt ?? Number.POSITIVE_INFINITY);
  const now = Temporal.Instant.fromEpochMilliseconds(loaded)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');
  return { timeZone, now, latest };
}
