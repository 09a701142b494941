/** Joins the names of programs, publishers and supports to rows with their identifiers. */

import type { DirectoryName } from '../../contract/record/directory.ts';
import { PARTNERSHIPS } from '../report-table.ts';
import { raw, type Sql, sql } from '../sql.ts';

/** The table of the directory. */
export const DIRECTORY = 'directory';

const WITHOUT_MONTHS: readonly string[] = [DIRECTORY, PARTNERSHIPS];

/** Whether a table is divided by month. A change in a table that is not divided can concern any period. */
export const isPartitionedByMonth = (table: string): boolean =>
  !WITHOUT_MONTHS.includes(table.replace(/_local$/, ''));

/** A column with identifiers, and the column that gets their names. */
export interface NamedKey {
  readonly key: string;
  readonly of: DirectoryName;
  readonly name: string;
}

const entriesOf = (of: DirectoryName): string =>
  `FROM ${DIRECTORY} FINAL WHERE kind = '${of}' AND NOT is_removed`;

/** The name for the identifier in a column; null if there is none. The engine runs the two equal subqueries once. */
export function nameExpression(column: string, of: DirectoryName): string {
  const names = `(SELECT (groupArray(id), groupArray(name)) ${entriesOf(of)})`;
  return `nullIf(transform(${column}, ${names}.1, ${names}.2, ''), '')`;
}

/** Adds a column to a subquery for each key: the names of its identifiers, or null where there is none. */
export const withNames = (rows: Sql, keys: readonly NamedKey[]): Sql =>
  keys.reduce(
    (source, { key, of, name }) => sql`(SELECT keyed.*, nullIf(found, '') AS ${raw(name)}
FROM ${source} AS keyed
LEFT JOIN (SELECT id, name AS found ${raw(entriesOf(of))}) AS named
ON keyed.${raw(key)} = named.id)`,
    rows,
  );
