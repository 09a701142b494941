/** Local times as seconds since 1970, computed as if the local time zone were UTC. */

export const HOUR = 3_600;
export const DAY = 24 * HOUR;

export const midnightOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1000;

/** Whether Europe skips the time when clocks go forward: 02:00 to 02:59 on the last Sunday of March. */
export function isSkipped(moment: number): boolean {
  const date = new Date(moment * 1000);
  return (
    date.getUTCMonth() === 2 &&
    date.getUTCDate() >= 25 &&
    date.getUTCDay() === 0 &&
    date.getUTCHours() === 2
  );
}

/** `YYYY-MM-DD HH:MM:SS`; a skipped time becomes 03:00:00. */
export function momentText(moment: number): string {
  const shown = isSkipped(moment) ? moment - (moment % HOUR) + HOUR : moment;
  return new Date(shown * 1000).toISOString().slice(0, 19).replace('T', ' ');
}
