/** Statements whose rows are small objects, with the schema that parses each row. */

import * as v from 'valibot';
import type { Statement } from './sql.ts';

export type RowSchema<Row> = v.GenericSchema<unknown, Row>;

export interface Select<Row> extends Statement {
  readonly row: RowSchema<Row>;
}

export const select = <Row>(row: RowSchema<Row>, statement: Statement): Select<Row> =>
  Object.freeze({ ...statement, row });

/** A row of any form, for a statement that only asks whether there are rows. */
export const ANY_ROW = v.unknown();

/** A count or an identifier. Some servers write integers of 64 bits as text. */
export const INTEGER = v.union([
  v.number(),
  v.pipe(v.string(), v.regex(/^-?\d+$/), v.transform(Number)),
]);
