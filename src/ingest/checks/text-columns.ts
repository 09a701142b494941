/** SQL for the fields of a source as normalised text, in which every form of null is the empty text. */

import { STORED_FIELDS, type StoredField } from '../../contract/record/fields.ts';
import type { Kind } from '../../contract/record/kinds.ts';
import { literal } from '../../plan/sql.ts';

/** The SQL expression of the text of each column that a source has. */
export type TextColumns = ReadonlyMap<string, string>;

/** The fields that may have a value. Optional fields that a source lacks are left out, to save work. */
export const usedFields = (source: TextColumns): readonly StoredField[] =>
  STORED_FIELDS.filter(({ name, required }) => required || source.has(name));

/** The texts that exports write for null. */
export const NULL_TEXTS: readonly string[] = ['', 'NULL', '\\N'];

/** SQL for the text of a float, without the exponent of small ones, which the checks refuse. */
export const floatText = (value: string): string =>
  `if(toString(${value}) LIKE '%e-%', toDecimalString(${value}, 30), toString(${value}))`;

const NULLS = NULL_TEXTS.map(literal).join(', ');
const EMPTY = NULL_TEXTS.map(() => "''").join(', ');

/** Characters of the longest expression that is planned twice faster than one `transform`. */
const SHORT = 100;

/** SQL for the empty text in place of every text for null. */
export const emptyIfNull = (text: string): string =>
  text.length > SHORT
    ? `transform(${text}, [${NULLS}], [${EMPTY}])`
    : `if(${text} IN (${NULLS}), '', ${text})`;

/**
 * The columns of a subquery in which every field is text and null is the empty text.
 *
 * `type_cell` is the type in the file; `type` is the one named by the command, or else that in the file.
 */
export function normalisedColumns(source: TextColumns, type: Kind | undefined): readonly string[] {
  const textOf = (name: string): string => {
    const expression = source.get(name);
    return expression === undefined ? "''" : emptyIfNull(expression);
  };
  return [
    `${textOf('type')} AS type_cell`,
    `${type === undefined ? 'type_cell' : `'${type}'`} AS type`,
    ...STORED_FIELDS.map(({ name }) => `${textOf(name)} AS ${name}`),
  ];
}
