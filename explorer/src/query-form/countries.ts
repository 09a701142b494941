/** Countries by their names in the reader's language. */

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');

/** Without accents, case and signs, which nobody has to know: `Côte d’Ivoire` is `cotedivoire`. */
const bare = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[^\p{Letter}\p{Number}]/gu, '')
    .toLowerCase();

/** The code that stands today for a country of which there were others, such as GB for UK. */
const current = (code: string): string =>
  new Intl.Locale(`und-${code}`).region ?? code.toUpperCase();

const made = new Map<string, ReadonlyMap<string, string>>();

/** The codes of all countries under their bare names. */
function codesIn(tag: string): ReadonlyMap<string, string> {
  const known = made.get(tag);
  if (known !== undefined) return known;
  const names = new Intl.DisplayNames([tag], { type: 'region', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const found = new Map(
    codes
      .filter((code) => current(code) === code)
      .map((code) => [bare(names.of(code) ?? code), code]),
  );
  made.set(tag, found);
  return found;
}

/** The code of a country that is written as a code or by its name; what is neither stays as it is. */
export function countryIn(text: string, tag: string): string {
  if (/^[a-z]{2}$/i.test(text)) return current(text);
  return codesIn(tag).get(bare(text)) ?? text;
}
