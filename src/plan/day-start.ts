/** The instants at which the days of queries begin, in an LRU cache. */

import { LRUCache } from 'lru-cache';
import { startOfDay } from '../contract/query/calendar.ts';

/** Days; the same ones are asked for again and again. */
const CAPACITY = 2000;

const starts = new LRUCache<string, number>({ max: CAPACITY });

/** The same as `startOfDay`, of which two take as long as the rest of a plan. */
export function cachedStartOfDay(date: string, timeZone: string, daysLater = 0): number {
  const key = `${date} ${daysLater} ${timeZone}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  const start = startOfDay(date, timeZone, daysLater);
  starts.set(key, start);
  return start;
}
