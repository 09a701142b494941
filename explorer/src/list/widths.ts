/** How wide each column is. */

import { useSyncExternalStore } from 'react';
import type { Field } from '../../../src/contract/fields.ts';
import type { RecordField } from '../../../src/contract/records.ts';

/** In rem; the second is that on narrow screens, where a date has two lines. */
type Widths = readonly [wide: number, narrow: number];

// biome-ignore format: one line a type
const WIDTHS: Readonly<Record<Field['type'], Widths>> = {
  integer: [8, 8], decimal: [8.5, 7.4], text: [12, 12], word: [8, 8], address: [9.5, 9.5],
  country: [9, 9], date: [11.5, 6.75], status: [6, 6], status_label: [7.75, 7.25],
};

/** Those of few digits. */
const SHORT: readonly string[] = ['program_id', 'publisher_id', 'support_id', 'total'];
const OF_SHORT: Widths = [6.75, 6];

const NARROW = matchMedia('(max-width: 40rem)');

const subscribe = (listener: () => void): (() => void) => {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
};

/** In rem. */
export type WidthOf = (column: RecordField) => number;

export function useWidths(): WidthOf {
  const isNarrow = useSyncExternalStore(subscribe, () => NARROW.matches);
  return ({ name, field }) =>
    (SHORT.includes(name) ? OF_SHORT : WIDTHS[field.type])[isNarrow ? 1 : 0];
}
