/** Compares the setting for the time zone with the time zone of a database, which never changes. */

import { UserError } from '../user-error.ts';

/** The time zone of a new database if none is given. */
export const DEFAULT_TIME_ZONE = 'UTC';

/** The stored time zone, or that of a new database. Throws if the stored one is not the wanted one. */
export function agreedTimeZone(stored: string | undefined, wanted: string | undefined): string {
  if (stored !== undefined) checkTimeZone(stored, wanted);
  return stored ?? wanted ?? DEFAULT_TIME_ZONE;
}

/** Throws if the time zone differs from that of the database. */
export function checkTimeZone(stored: string, wanted: string | undefined): void {
  if (wanted === undefined || stored === wanted) return;
  throw new UserError(
    `The database was created for the time zone ${stored}, but TIMEZONE is ${wanted}.`,
    `Set TIMEZONE=${stored} or leave it out; to change the zone, import into a new database.`,
  );
}
