/** The class of a column: numbers, dates, or anything else. */

import type { RecordField } from '../../../../src/contract/record/records.ts';
import { SUMMED_FIELDS } from '../../../../src/contract/record/summary.ts';

const SUMMED_NAMES: readonly string[] = SUMMED_FIELDS;

/** Decimals and summed integers. Other integers are identifiers. */
export const isNumeric = ({ field }: RecordField): boolean =>
  field.type === 'decimal' || SUMMED_NAMES.includes(field.name);

/** The CSS class of the column's cells. */
export function classOf(column: RecordField): string | undefined {
  if (isNumeric(column)) return 'number';
  return column.field.type === 'date' ? 'date' : undefined;
}
