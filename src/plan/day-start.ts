/** The instants at which the days of queries begin, in an LRU cache. */

import { LRUCache } from 'lru-cache';
import { startOfDay } from '../contract/query/calendar.ts';

/** The maximum number of days in the cache. Most queries are about the same days. */
const CAPACITY = 2000;

const starts = new LRUCache<string, number>({ max: CAPACITY });

/** `startOfDay` with a cache. Without the cache, two calls for a plan take as long as all other planning. */
export function cachedStartOfDay(date: string, timeZone: string, daysLater = 0): number {
  const key = `${date} ${daysLater} ${timeZone}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  const start = startOfDay(date, timeZone, daysLater);
  starts.set(key, start);
  return start;
}
