/** The time zone of a database, which never changes: compares it with the setting, and reads its rules. */

import * as v from 'valibot';
import { LAST_INSTANT, setZoneRules } from '../contract/query/calendar.ts';
import type { Reader } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { bind, raw, type Sql, sql, statementOf } from '../plan/sql.ts';
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

const SHIFT = v.object({ from: INTEGER, seconds: INTEGER });

const DAY = 86_400;

/** Seconds between the instants that are compared: the day of a shift is found first, then its hour, and so on. */
const STEPS = [DAY, 3600, 60, 1];

/**
 * Reads how the engine's clock is shifted in a time zone, and uses these rules for the days of all queries.
 *
 * Otherwise days would begin by the rules of Node.js, but be written and grouped by those of the engine.
 */
export async function useZoneRules(reader: Reader, timeZone: string): Promise<void> {
  const shifts = statementOf(sql`SELECT toUInt32(0) AS from, ${shiftAt('from', timeZone)} AS seconds
UNION ALL SELECT toUInt32(at + 1) AS from, ${shiftAt('from', timeZone)} AS seconds FROM (${lastBeforeShifts(timeZone)})`);
  const rules = await reader.rows(select(SHIFT, shifts));
  setZoneRules(
    timeZone,
    rules.toSorted((one, other) => one.from - other.from),
  );
}

/** The last second before each shift of the clock, as `at`. */
function lastBeforeShifts(timeZone: string): Sql {
  let found = sql`SELECT 0 AS at`;
  let length = LAST_INSTANT;
  for (const step of STEPS) {
    const instants = raw(`at + arrayJoin(range(${Math.floor(length / step)})) * ${step} AS at`);
    const isShifted = sql`${shiftAt('at', timeZone)} != ${shiftAt(`at + ${step}`, timeZone)}`;
    found = sql`SELECT at FROM (SELECT ${instants} FROM (${found})) WHERE ${isShifted}`;
    length = step;
  }
  return found;
}

/** How many seconds the clock is ahead of UTC at an instant. */
function shiftAt(instant: string, timeZone: string): Sql {
  const time = sql`toDateTime(${raw(instant)}, ${bind('String', timeZone)})`;
  const clock = sql`toInt64(toDate32(${time})) * ${raw(String(DAY))} + toHour(${time}) * 3600 + toMinute(${time}) * 60 + toSecond(${time})`;
  return sql`${clock} - (${raw(instant)})`;
}
