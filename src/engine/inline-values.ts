/**
 * Writes bound values into the text of a statement, where the engine cannot bind them.
 *
 * The text gets digits only: a string becomes the hexadecimal digits of its bytes, so it can never
 * be read as SQL.
 */

import type { Bound, Statement } from '../plan/sql.ts';

export const inlineValues = ({ text, values }: Statement): string =>
  text.replaceAll(/\{(p\d+):([A-Za-z0-9()]+)\}/g, (_, name: string, type: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`Nothing is bound to ${name}.`);
    return `CAST(${literalOf(value)} AS ${type})`;
  });

function literalOf(value: Bound['value']): string {
  if (typeof value === 'string') return `unhex('${Buffer.from(value).toString('hex')}')`;
  if (typeof value !== 'number') return `[${value.map(literalOf).join(', ')}]`;
  if (!Number.isSafeInteger(value)) throw new TypeError('Not an integer.');
  return String(value);
}
