/** Parses a number of months, such as `13 months`. */

export function asMonths(text: string): number {
  const months = /^(?:([1-9]\d{0,2}) months?|0)$/.exec(text);
  if (months !== null) return Number(months[1] ?? 0);
  throw new Error('must be a number of months such as "13 months"; 0 keeps everything');
}
