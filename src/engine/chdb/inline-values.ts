/**
 * Statements whose values stand in their text, where the engine binds none.
 *
 * Of a value nothing gets into the text but digits: texts are written as the hexadecimal digits of
 * their bytes, so that none can ever be read as SQL.
 */

import type { Bound, Statement } from '../../plan/sql.ts';

/** Puts a statement's values in their places. */
export const inlined = ({ text, values }: Statement): string =>
  text.replaceAll(/\{(p\d+):([A-Za-z0-9()]+)\}/g, (_, name: string, type: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`Nothing is bound to ${name}.`);
    return `CAST(${written(value)} AS ${type})`;
  });

function written(value: Bound['value']): string {
  if (typeof value === 'string') return `unhex('${Buffer.from(value).toString('hex')}')`;
  if (typeof value !== 'number') return `[${value.map(written).join(', ')}]`;
  if (!Number.isSafeInteger(value)) throw new TypeError('Not a whole number.');
  return String(value);
}
