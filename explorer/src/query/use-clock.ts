/** React hook for the present time in the platform's time zone, and for the latest hour that has transactions. */

import { Temporal } from 'temporal-polyfill';
import { useExplorer } from '../access/explorer-context.tsx';
import type { Clock } from './incompleteness.ts';
import { useToday } from './today.ts';
import { useLatestHour } from './use-latest-hour.ts';

/** The latest hour is requested only while `isEnabled` is true: callers wait for the numbers that they show. */
export function useClock(isEnabled: boolean): Clock {
  const { service } = useExplorer();
  const timeZone = service.me.time_zone;
  const latest = useLatestHour(useToday(timeZone), isEnabled);
  const now = Temporal.Now.plainDateTimeISO(timeZone)
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');
  return { timeZone, now, latest };
}
