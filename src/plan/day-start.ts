/** The instants at which the days of queries begin, in an LRU cache. */

import { LRUCache } from 'lru-cache';
import { rulesOf, startOfDay, type ZoneRules } from '../contract/query/calendar.ts';

/** The maximum number of days in a cache. Most queries are about the same days. */
const CAPACITY = 2000;

/** Each cache belongs to the rules of a time zone, so none outlives a change of the rules. */
const startsByRules = new WeakMap<ZoneRules, LRUCache<string, number>>();

function startsOf(rules: ZoneRules): LRUCache<string, number> {
  const known = startsByRules.get(rules);
  if (known !== undefined) return known;
  const starts = new LRUCache<string, number>({ max: CAPACITY });
  startsByRules.set(rules, starts);
  return starts;
}

/** `startOfDay` with a cache. Without the cache, two calls for a plan take as long as all other planning. */
export function cachedStartOfDay(date: string, timeZone: string, daysLater = 0): number {
  const starts = startsOf(rulesOf(timeZone));
  const key = `${date} ${daysLater}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  const start = startOfDay(date, timeZone, daysLater);
  starts.set(key, start);
  return start;
}
