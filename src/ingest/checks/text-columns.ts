/** The fields of a row as normalised text: where a source holds each, and what counts as null. */

import { STORED_FIELDS } from '../../contract/record/fields.ts';
import type { Kind } from '../../contract/record/kinds.ts';

/** The SQL expression of each column's text in a source; columns that it lacks are absent. */
export type TextColumns = ReadonlyMap<string, string>;

/** What an export writes for null. */
const NULLS = "('', 'NULL', '\\\\N')";

/** A text with whatever stands for null as the empty text. */
export const textOrNothing = (text: string): string => `if(${text} IN ${NULLS}, '', ${text})`;

/**
 * The columns of a subquery in which every field is text and null is the empty text.
 *
 * `type_cell` is what the file says of the type; `type` what is taken for it.
 */
export function normalisedColumns(source: TextColumns, type: Kind | undefined): readonly string[] {
  const textOf = (name: string): string => {
    const expression = source.get(name);
    return expression === undefined ? "''" : textOrNothing(expression);
  };
  return [
    `${textOf('type')} AS type_cell`,
    `${type === undefined ? 'type_cell' : `'${type}'`} AS type`,
    ...STORED_FIELDS.map(({ name }) => `${textOf(name)} AS ${name}`),
  ];
}
