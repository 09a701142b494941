/** Wraps blocks of rendered records, each of which begins with a comma, into one JSON array. */

const OPENING = '['.charCodeAt(0);
const COMMA = ','.charCodeAt(0);

/** An array without records. */
export const EMPTY_ARRAY = '[]\n';

/** Ends an array; only what was read to its end gets it, so a broken answer never parses. */
export const ARRAY_END = '\n]\n';

/** Turns the comma before the first record into the opening bracket, in place. */
export function openArray(firstBlock: Uint8Array): Uint8Array {
  if (firstBlock[0] !== COMMA) throw new TypeError('A block of records must begin with a comma.');
  firstBlock[0] = OPENING;
  return firstBlock;
}
