/** The order of each column of the list, and what a click on its header changes. */

import { assertNever } from '../../../src/contract/assert-never.ts';
import { sortFieldOf } from '../../../src/contract/query/sorting/list-sorts.ts';
import { type Sort, sortText } from '../../../src/contract/query/sorting/sort.ts';
import type { RecordField } from '../../../src/contract/record/records.ts';
import type { View } from '../query/view.ts';
import type { Texts } from '../texts/texts.ts';
import { isNumeric } from './grid/column-class.ts';

export type Direction = 'ascending' | 'descending';

export const OPPOSITE: Readonly<Record<Direction, Direction>> = {
  ascending: 'descending',
  descending: 'ascending',
};

/** The direction of the first click: descending for numbers and dates, ascending for texts and identifiers. */
export const firstDirection = (column: RecordField): Direction =>
  isNumeric(column) || column.field.type === 'date' ? 'descending' : 'ascending';

/** The part of the view that sorts by a column. The order by the date of the period needs no `listSort`. */
export function viewSortedBy(
  column: RecordField,
  direction: Direction,
  { dateField }: View,
): Pick<View, 'listSort'> & Partial<View> {
  const isDescending = direction === 'descending';
  if (column.name === dateField) {
    return { listSort: undefined, order: isDescending ? 'desc' : 'asc' };
  }
  return { listSort: sortText({ by: sortFieldOf(column), isDescending }) };
}

/** Undefined if the list is not sorted by the column. `sort` is that of the view. */
export function directionOf(
  column: RecordField,
  sort: Sort | undefined,
  { dateField, order }: View,
): Direction | undefined {
  if (sort !== undefined) {
    if (sort.by !== sortFieldOf(column)) return undefined;
    return sort.isDescending ? 'descending' : 'ascending';
  }
  if (column.name !== dateField) return undefined;
  return order === 'desc' ? 'descending' : 'ascending';
}

/**
 * The direction after a click: first that of `firstDirection`, then the opposite, then undefined for the
 * order by date. A click on the column of that date only reverses the order.
 */
export function nextDirection(
  column: RecordField,
  direction: Direction | undefined,
  { dateField }: View,
): Direction | undefined {
  const first = firstDirection(column);
  if (direction === undefined) return first;
  return direction === first || column.name === dateField ? OPPOSITE[direction] : undefined;
}

/** Words such as `largest first`, by the type of the column. */
export function directionWords(
  column: RecordField,
  direction: Direction,
  { list: { directions } }: Texts,
): string {
  switch (column.field.type) {
    case 'date':
      return directions.date[direction];
    case 'integer':
    case 'decimal':
      return directions[isNumeric(column) ? 'number' : 'identifier'][direction];
    case 'status':
    case 'status_label':
    case 'address':
      return directions.code[direction];
    case 'text':
    case 'word':
    case 'country':
      return directions.text[direction];
    default:
      return assertNever(column.field.type);
  }
}
