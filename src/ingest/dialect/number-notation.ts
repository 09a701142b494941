/** Recognises decimal commas, grouped digits and currencies in numbers. */

import { DECIMAL_MARKS, type DecimalMark, type NumberNotation } from './dialect.ts';

/** The space, the no-break space, the thin space and the narrow no-break space. */
const BLANK = '[ \u00A0\u2009\u202F]';

/** Signs, and codes of ISO 4217. */
const CURRENCY = '(?:[€$£¥]|[A-Z]{3})';

const escaped = (text: string): string => text.replaceAll('$', '\\$');

/**
 * The regular expression of numbers in a notation, for JavaScript and for RE2.
 *
 * Digits may be grouped by blanks, by apostrophes, or by the mark that is not the decimal one. A number with grouped
 * digits does not begin with 0, so `0.123` does not mean 123 in a file with decimal commas.
 */
export function numberPattern({ decimal, currency }: NumberNotation): string {
  const sign = currency === undefined ? '' : `(?:${escaped(currency)})`;
  const before = sign === '' ? '-?' : `(?:-?(?:${sign}${BLANK}*)?|${sign}${BLANK}*-)`;
  const after = sign === '' ? '' : `${sign}?`;
  const separators = [BLANK, "['’]", ...(decimal === undefined ? [] : [groupedBy(decimal)])];
  const groups = separators.map((separator) => `(?:${separator}[0-9]{3})+`).join('|');
  const decimals = decimal === undefined ? '' : `(?:[${decimal}][0-9]+)?`;
  return `^${BLANK}*${before}(?:[1-9][0-9]{0,2}(?:${groups})|[0-9]+)${decimals}${BLANK}*${after}${BLANK}*$`;
}

const groupedBy = (decimal: DecimalMark): string => (decimal === ',' ? '[.]' : '[,]');

/** Is added to a number with a decimal point in a file with decimal commas, so that it fails the checks. */
export const WRONG_POINT = ' (decimal point)';

/** A number as JSON writes it, which needs no conversion. */
const PLAIN = /^-?\d+(\.\d+)?$/;

/** What a number says about the notation of its file. */
export interface NumberEvidence {
  readonly isPlain: boolean;
  readonly currency: string | undefined;
  /** The possible decimal marks: both for `1,234`, none for `1 234`. */
  readonly marks: readonly DecimalMark[];
}

const LOOSE = new RegExp(
  `^(?!.*-.*-)${BLANK}*-?(${CURRENCY})?${BLANK}*-?([0-9][0-9.,'’ \u00A0\u2009\u202F]*?)${BLANK}*(${CURRENCY})?${BLANK}*$`,
);

const formOf = (decimal: DecimalMark | undefined): RegExp =>
  new RegExp(numberPattern({ decimal, currency: undefined }));

const WITHOUT_MARK = formOf(undefined);

const WITH_MARK = DECIMAL_MARKS.map((mark) => ({ mark, form: formOf(mark) }));

/** Undefined if the text is not a number in any notation. */
export function numberEvidence(text: string): NumberEvidence | undefined {
  const [whole, before, digits = '', after] = LOOSE.exec(text) ?? [];
  if (whole === undefined || (before !== undefined && after !== undefined)) return undefined;
  const found = { isPlain: PLAIN.test(text), currency: before ?? after };
  if (WITHOUT_MARK.test(digits)) return { ...found, marks: [] };
  const marks = WITH_MARK.filter(({ form }) => form.test(digits)).map(({ mark }) => mark);
  if (marks.length === 0) return undefined;
  return { ...found, marks };
}
