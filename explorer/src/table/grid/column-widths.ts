/** Column widths by field type and screen size. */

import { useSyncExternalStore } from 'react';
import type { Field } from '../../../../src/contract/record/fields.ts';
import type { RecordField } from '../../../../src/contract/record/records.ts';
import { useLocalization } from '../../layout/localization-context.tsx';

/** In rem, for wide and narrow screens. On narrow screens a date has two lines. */
type Widths = readonly [wide: number, narrow: number];

// biome-ignore format: one line a type
const WIDTHS: Readonly<Record<Field['type'], Widths>> = {
  integer: [8, 8], decimal: [8.5, 7.4], text: [12, 12], word: [8, 8], address: [9.5, 9.5],
  country: [8.75, 9], date: [11.5, 6.75], status: [6, 6], status_label: [7.75, 7.25],
};

/** Fields with few digits. */
const SHORT_FIELDS: readonly string[] = ['program_id', 'publisher_id', 'support_id', 'total'];
const SHORT_WIDTHS: Widths = [6.75, 6];

/** On wide screens a date has one line, whose length depends on the language. */
const LONG_DATE = '2026-09-28 22:58:58';
const LETTER_WIDTH = 0.475;
const PADDING = 1;

const NARROW = matchMedia('(max-width: 40rem)');

const subscribe = (listener: () => void): (() => void) => {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
};

/** The width of a column in rem. */
export type ColumnWidthOf = (column: RecordField) => number;

export function useColumnWidths(): ColumnWidthOf {
  const isNarrow = useSyncExternalStore(subscribe, () => NARROW.matches);
  const { formats } = useLocalization();
  const dateWidth = PADDING + LETTER_WIDTH * formats.moment(LONG_DATE).length;
  return ({ name, field }) => {
    const [wide, narrow] = SHORT_FIELDS.includes(name) ? SHORT_WIDTHS : WIDTHS[field.type];
    if (isNarrow) return narrow;
    return field.type === 'date' ? Math.max(wide, dateWidth) : wide;
  };
}
