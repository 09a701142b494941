/** The variants of CSV (RFC 4180), and which texts spreadsheets would run as formulas. */

import type { RecordField } from '../../contract/record/records.ts';
import type { CsvForm } from '../form.ts';

/** How CSV is written. */
export interface CsvStyle {
  readonly separator: string;
  readonly decimalPoint: string;
  /** Whether an apostrophe is put before texts that a spreadsheet would run as formulas. */
  readonly escapesFormulas: boolean;
  /** The first characters of the file. */
  readonly opening: string;
}

/** For spreadsheets. The byte order mark marks UTF-8. */
const SPREADSHEET = { escapesFormulas: true, opening: '\uFEFF' } as const;

export const CSV_STYLES: { readonly [form in CsvForm]: CsvStyle } = {
  csv: { separator: ',', decimalPoint: '.', escapesFormulas: false, opening: '' },
  excel: { separator: ';', decimalPoint: ',', ...SPREADSHEET },
  'excel-en': { separator: ',', decimalPoint: '.', ...SPREADSHEET },
};

export const LINE_END = '\r\n';

export const csvHeader = (fields: readonly RecordField[], style: CsvStyle): string =>
  `${style.opening}${fields.map(({ name }) => name).join(style.separator)}${LINE_END}`;

/** The characters that can begin a formula in spreadsheets. */
const FORMULA_STARTS = '=+\\-@＝＋－＠';

/** Blanks, controls and characters without width, which spreadsheets may skip before a formula. */
const SKIPPED: readonly (readonly [number, number])[] = [
  [0x00, 0x20],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
];

/** Matches texts that spreadsheets may run. `codePoint` writes a code point for the engine (RE2) or JavaScript. */
export function formulaPattern(codePoint: (hex: string) => string): string {
  const escaped = (code: number) => codePoint(code.toString(16));
  const skipped = SKIPPED.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join('');
  return `^(?:[\\t\\r\\n]|[${skipped}]*[${FORMULA_STARTS}])`;
}

const PATTERN = new RegExp(
  formulaPattern((hex) => `\\u{${hex}}`),
  'u',
);

/** Puts an apostrophe before a text that a spreadsheet would run as a formula. */
export const escapedFormula = (text: string): string => (PATTERN.test(text) ? `'${text}` : text);
