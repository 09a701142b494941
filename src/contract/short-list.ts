/** Lists a few of many values in a message. */

const MOST = 10;

/** `1, 2, 3`, or the first ten `and 5 more`. */
export function shortList(values: readonly (number | string)[]): string {
  const more = values.length > MOST ? ` and ${values.length - MOST} more` : '';
  return values.slice(0, MOST).join(', ') + more;
}
