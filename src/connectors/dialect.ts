/** What differs between the databases that transactions are read from. */

import type { DatabaseAddress } from './source-address.ts';

/**
 * What a column holds: `instant` knows its time zone, `clock` is a date and time of which nothing
 * says where its clock hangs, `day` is a date alone.
 */
export type ColumnKind = 'instant' | 'clock' | 'day' | 'other';

export interface SourceColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** What the database calls its type. */
  readonly type: string;
  readonly nullable: boolean;
}

/** The moment from which on rows are taken. */
export interface Since {
  /** Seconds since 1970 (UTC). */
  readonly instant: number;
  /** What the source's clock shows then: `YYYY-MM-DD HH:MM:SS`. */
  readonly clock: string;
}

/** Queries in a database's own SQL; names and values of the operator are quoted in them. */
export interface Dialect {
  /** The engine's table function. */
  readonly tableFunction: 'postgresql' | 'mysql';
  /** Of a table: rows of `name`, `type` and `nullable` ('1' or '0'), none where there is no table. */
  readonly columns: (address: DatabaseAddress) => string;
  /** Rows of `name`: the tables that the user may have meant. */
  readonly tables: (address: DatabaseAddress) => string;
  readonly kindOf: (type: string) => ColumnKind;
  readonly identifier: (name: string) => string;
  readonly table: (address: DatabaseAddress) => string;
  /** An expression of the column's text; dates read `YYYY-MM-DD HH:MM:SS`, instants end in Z. */
  readonly text: (column: SourceColumn) => string;
  /** The condition under which a column of that kind is not before the moment. */
  readonly since: Readonly<
    Record<Exclude<ColumnKind, 'other'>, (name: string, since: Since) => string>
  >;
}

/** What a table says of a type; the source names its types, and may call one `constructor`. */
export const forType = <Value>(
  table: Readonly<Record<string, Value>>,
  type: string,
): Value | undefined => (Object.hasOwn(table, type) ? table[type] : undefined);

/** The statement that reads columns under the names c0, c1, … as text. */
export function readingQuery(
  dialect: Dialect,
  address: DatabaseAddress,
  columns: readonly SourceColumn[],
  condition: string | undefined,
): string {
  const texts = columns.map((column, at) => `${dialect.text(column)} AS c${at}`);
  const where = condition === undefined ? '' : ` WHERE ${condition}`;
  return `SELECT ${texts.join(', ')} FROM ${dialect.table(address)}${where}`;
}

/** Rows that changed since; one that does not say when is taken too, so that it is not lost unseen. */
export function sinceCondition(
  dialect: Dialect,
  column: SourceColumn & { readonly kind: keyof Dialect['since'] },
  since: Since,
): string {
  const name = dialect.identifier(column.name);
  const isNewer = dialect.since[column.kind](name, since);
  return column.nullable ? `(${isNewer} OR ${name} IS NULL)` : isNewer;
}
