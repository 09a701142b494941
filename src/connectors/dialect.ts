/** The SQL dialect of a database from which transactions are imported. */

import type { SourceTableAddress } from './source-address.ts';

/**
 * The type of a column: `instant` has a time zone, `clock` is a local date and time without one,
 * `day` is a date.
 */
export type ColumnKind = 'instant' | 'clock' | 'day' | 'other';

export interface SourceColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The name of its type in the database. */
  readonly type: string;
  readonly nullable: boolean;
}

/** Only rows that changed at or after this time are read. */
export interface Since {
  /** Seconds since 1970 (UTC). */
  readonly instant: number;
  /** The earliest local time at this instant or after it, in the time zone of the source: `YYYY-MM-DD HH:MM:SS`. */
  readonly clock: string;
}

/** Queries in the SQL of a database, with names and values of the user quoted. */
export interface SqlDialect {
  /** The engine's table function. */
  readonly tableFunction: 'postgresql' | 'mysql';
  /**
   * For types of floats that the database shows with an exponent or too few digits, the engine's SQL for the value. Its
   * argument is the `text` as a column. The engine makes the shortest text of the value.
   */
  readonly floats: Readonly<Record<string, (text: string) => string>>;
  /** Selects `name`, `type` and `nullable` ('1' or '0') of each column; no rows if there is no table. */
  readonly columns: (address: SourceTableAddress) => string;
  /** Selects `name` of each table, to suggest one. */
  readonly tables: (address: SourceTableAddress) => string;
  readonly kindOf: (type: string) => ColumnKind;
  readonly identifier: (name: string) => string;
  readonly table: (address: SourceTableAddress) => string;
  /** The column as text: instants as `YYYY-MM-DDTHH:MM:SSZ`, other dates as `YYYY-MM-DD HH:MM:SS`. */
  readonly text: (column: SourceColumn) => string;
  /** For each kind of column, the condition that the value is not before the given time, or is a date of zeros. */
  readonly since: Readonly<
    Record<Exclude<ColumnKind, 'other'>, (name: string, since: Since) => string>
  >;
}

/** Looks up the value for a column type. Ignores inherited properties, because a type may be called `constructor`. */
export const valueForType = <Value>(
  table: Readonly<Record<string, Value>>,
  type: string,
): Value | undefined => (Object.hasOwn(table, type) ? table[type] : undefined);

/** Selects columns as text, with the names c0, c1, … */
export function selectQuery(
  dialect: SqlDialect,
  address: SourceTableAddress,
  columns: readonly SourceColumn[],
  condition: string | undefined,
): string {
  const texts = columns.map((column, at) => `${dialect.text(column)} AS c${at}`);
  const where = condition === undefined ? '' : ` WHERE ${condition}`;
  return `SELECT ${texts.join(', ')} FROM ${dialect.table(address)}${where}`;
}

/** The condition for rows that changed since a time. Rows without a date are included, so that they are not lost. */
export function sinceCondition(
  dialect: SqlDialect,
  column: SourceColumn & { readonly kind: keyof SqlDialect['since'] },
  since: Since,
): string {
  const name = dialect.identifier(column.name);
  const isNewer = dialect.since[column.kind](name, since);
  return column.nullable ? `(${isNewer} OR ${name} IS NULL)` : isNewer;
}
