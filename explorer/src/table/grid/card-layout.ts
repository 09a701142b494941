/** Cards of the list on phones: the order of their values, and their height. */

import type { RecordField } from '../../../../src/contract/record/records.ts';

const LINE_HEIGHT = 24;
const PADDING = 20;

const isDate = ({ field }: RecordField): boolean => field.type === 'date';

/** The status and the first amount are the first line of a card. */
export function cardColumns(columns: readonly RecordField[]): readonly RecordField[] {
  const status = columns.find(({ field }) => field.type === 'status_label');
  const money = columns.find(({ field }) => field.type === 'decimal');
  const first = [status, money].filter((column) => column !== undefined);
  const others = columns.filter((column) => !first.includes(column));
  // A date has a line of its own. Others have half a line.
  return [...first, ...others.filter(isDate), ...others.filter((column) => !isDate(column))];
}

/** In pixels. `columns` are in the order that `cardColumns` returns. */
export function cardHeight(columns: readonly RecordField[]): number {
  const dates = columns.filter(isDate).length;
  const before = columns.findIndex(isDate);
  const after = columns.length - dates - Math.max(0, before);
  const lines = Math.min(1, Math.max(0, before)) + dates + Math.ceil(after / 2);
  return PADDING + lines * LINE_HEIGHT;
}
