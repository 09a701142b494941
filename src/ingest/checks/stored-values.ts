/** Converts normalised text that passed the checks to the stored value of each field. */

import { assertNever } from '../../contract/assert-never.ts';
import type { StoredField } from '../../contract/record/fields.ts';
import { dateValue } from './date-checks.ts';
import { type TextColumns, usedFields } from './text-columns.ts';

export interface ValueOptions {
  readonly timeZone: string;
  readonly round: boolean;
}

/** The columns to insert, and their expressions. The others become NULL. */
export function storedValues(
  source: TextColumns,
  options: ValueOptions,
): { columns: string; expressions: string } {
  const fields = usedFields(source);
  const values = fields.map((field) => {
    const value = storedValue(field, options);
    return field.required ? value : `if(${field.name} = '', NULL, ${value})`;
  });
  const columns = ['type', ...fields.map(({ name }) => name)];
  return { columns: columns.join(', '), expressions: ['type', ...values].join(', ') };
}

function storedValue({ name, type }: StoredField, { timeZone, round }: ValueOptions): string {
  switch (type) {
    case 'integer':
      return `toUInt64OrZero(${name})`;
    case 'decimal':
      return round
        ? `toDecimal64(round(toDecimal256OrZero(${name}, 30), 6), 6)`
        : `toDecimal64OrZero(${name}, 6)`;
    case 'date':
      return dateValue(name, timeZone);
    case 'country':
      return `upper(${name})`;
    case 'status':
      return `toUInt8OrZero(${name})`;
    case 'text':
    case 'word':
    case 'address':
      return name;
    default:
      return assertNever(type);
  }
}
