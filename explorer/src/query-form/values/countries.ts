/** Country codes by their names in the user's language. */

import { folded } from '../../../../src/contract/folded-text.ts';

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');

/** Removes accents, case and punctuation: `Côte d’Ivoire` is `cotedivoire`. */
export const normalizedName = (text: string): string =>
  folded(text).replaceAll(/[^\p{Letter}\p{Number}]/gu, '');

/** Maps an alias of a country to its ISO code, such as UK to GB. */
const currentCode = (code: string): string =>
  new Intl.Locale(`und-${code}`).region ?? code.toUpperCase();

const cache = new Map<string, ReadonlyMap<string, string>>();

/** The codes of all countries by normalized name. */
function codesIn(tag: string): ReadonlyMap<string, string> {
  const cached = cache.get(tag);
  if (cached !== undefined) return cached;
  const names = new Intl.DisplayNames([tag], { type: 'region', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const byName = new Map(
    codes
      .filter((code) => currentCode(code) === code)
      .map((code) => [normalizedName(names.of(code) ?? code), code]),
  );
  cache.set(tag, byName);
  return byName;
}

/** The code of a country given by code or name. Other texts stay as they are. */
export function countryIn(text: string, tag: string): string {
  if (/^[a-z]{2}$/i.test(text)) return currentCode(text);
  return codesIn(tag).get(normalizedName(text)) ?? text;
}
