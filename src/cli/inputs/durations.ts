/** Parses numbers of months and days, such as `13 months`. */

export const asMonths = (text: string): number => countOf(text, 'month', 13);

export const asDays = (text: string): number => countOf(text, 'day', 90);

function countOf(text: string, unit: string, example: number): number {
  const matched = new RegExp(`^(?:([1-9]\\d{0,2}) ${unit}s?|0)$`).exec(text);
  if (matched !== null) return Number(matched[1] ?? 0);
  throw new Error(
    `must be a number of ${unit}s from 1 to 999, such as "${example} ${unit}s", or 0 to keep everything`,
  );
}
