/** The currency of the platform's amounts: its ISO 4217 code, and suggestions for wrong ones. */

import { nearestName } from '../query/suggestion.ts';

const CODES: readonly string[] = Intl.supportedValuesOf('currency');

/** Throws an Error whose message says what is allowed. */
export function readCurrency(text: string): string {
  if (CODES.includes(text)) return text;
  const suggested = codeNamed(text) ?? nearestName(text, CODES.filter(startsLike(text)));
  const suggestion = suggested === undefined ? '' : ` (did you mean ${suggested}?)`;
  throw new Error(`must be a currency code of ISO 4217, such as EUR${suggestion}`);
}

/** Whether a code has the first letter of the text. Others belong to other countries: `USD` begins with `US`. */
const startsLike =
  (text: string) =>
  (code: string): boolean =>
    code[0] === text.trim()[0]?.toUpperCase();

/** The currency with this code, English name or symbol in either case: `eur`, `euro` or `€`. */
function codeNamed(text: string): string | undefined {
  const wanted = text.trim().toLowerCase();
  const names = new Intl.DisplayNames('en', { type: 'currency' });
  return CODES.find((code) =>
    [code, names.of(code), symbolOf(code)].some((name) => name?.toLowerCase() === wanted),
  );
}

const symbolOf = (currency: string): string | undefined =>
  new Intl.NumberFormat('en', { style: 'currency', currency })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value;
