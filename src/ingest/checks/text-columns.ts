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

/** Characters of the longest expression that is repeated, because each row costs less without a lambda. */
const SHORT = 100;

/** SQL that converts a text. A long text is named by a lambda, because the engine plans each repetition of it. */
export const convertedText = (text: string, convert: (text: string) => string): string =>
  text.length > SHORT ? `arrayMap(text -> ${convert('text')}, [${text}])[1]` : convert(text);

const NULLS = NULL_TEXTS.map(literal).join(', ');

/** SQL for the empty text in place of every text for null. */
export const emptyIfNull = (written: string): string =>
  convertedText(written, (text) => `if(${text} IN (${NULLS}), '', ${text})`);

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
