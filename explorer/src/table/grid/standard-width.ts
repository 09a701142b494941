/** Standard column widths, by field type. */

import { nameFieldOf } from '../../../../src/contract/record/directory.ts';
import type { Field } from '../../../../src/contract/record/fields.ts';
import type { RecordField } from '../../../../src/contract/record/records.ts';
import type { LocaleFormats } from '../../ui/formats.ts';

/** In rem. */
// biome-ignore format: one line a type
const WIDTHS: Readonly<Record<Field['type'], number>> = {
  integer: 7.5, decimal: 7.5, text: 12, word: 7.25, address: 9.5,
  country: 8.5, date: 11.5, status: 6, status_label: 7.75,
};

const NAME_WIDTH = 8.25;

/** Fits the longest word in a header. */
const REMUNERATION_WIDTH = 8.5;

/** Sample to measure date columns: a date does not wrap, and its length depends on the language. */
const LONG_DATE = '2026-09-28 22:58:58';
const LETTER_WIDTH = 0.475;
const PADDING = 1;

/** In rem. */
export function standardWidth({ name, field }: RecordField, formats: LocaleFormats): number {
  if (nameFieldOf(name) !== undefined) return NAME_WIDTH;
  if (field.name.startsWith('remu_')) return REMUNERATION_WIDTH;
  if (name === 'total') return WIDTHS.status;
  const width = WIDTHS[field.type];
  if (field.type !== 'date') return width;
  return Math.max(width, PADDING + LETTER_WIDTH * formats.moment(LONG_DATE).length);
}
