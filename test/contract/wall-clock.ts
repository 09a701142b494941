/** Computes local times with Intl only, so that tests can compare the service's calendar with them. */

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  // Sweden writes dates as ISO 8601 does.
  const options = { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' } as const;
  const format = new Intl.DateTimeFormat('sv-SE', options);
  formats.set(zone, format);
  return format;
}

/** The local time `YYYY-MM-DD HH:MM:SS` of an instant, in seconds since 1970 (UTC). */
export const localTimeAt = (zone: string, seconds: number): string =>
  formatOf(zone).format(seconds * 1000);

/** The first second at which the clock shows the day or a later one, found by search. */
export function firstInstantOf(date: string, zone: string): number {
  const isReached = (seconds: number): boolean => localTimeAt(zone, seconds).slice(0, 10) >= date;
  // No clock is more than 15 hours ahead of UTC.
  let seconds = Date.parse(date) / 1000 - 15 * 3600;
  while (!isReached(seconds)) seconds += 60;
  while (isReached(seconds - 1)) seconds -= 1;
  return seconds;
}
