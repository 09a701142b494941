/** The SQL dialect of PostgreSQL. */

import { type ColumnKind, type SourceColumn, type SqlDialect, valueForType } from './dialect.ts';
import type { SourceTableAddress } from './source-address.ts';

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A string literal with `E` does not depend on the server's settings. */
const text = (value: string): string =>
  `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

const table = ({ schema, table: name }: SourceTableAddress): string =>
  schema === undefined ? identifier(name) : `${identifier(schema)}.${identifier(name)}`;

const KINDS: Readonly<Record<string, ColumnKind>> = {
  'timestamp with time zone': 'instant',
  'timestamp without time zone': 'clock',
  date: 'day',
};

const CLOCK = "'YYYY-MM-DD HH24:MI:SS'";

/** SQL for the text of a value, by column type. All other types are converted by a plain cast. */
const TEXTS: Readonly<Record<string, (name: string) => string>> = {
  'timestamp with time zone': (name) =>
    finite(name, `to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`),
  'timestamp without time zone': (name) => finite(name, `to_char(${name}, ${CLOCK})`),
  date: (name) => finite(name, `to_char(${name}, ${CLOCK})`),
  // The text of inet ends with the length of the mask.
  inet: (name) => `host(${name})`,
  real: (name) => withoutExponent(name),
  'double precision': (name) => withoutExponent(name),
};

/** `to_char` would turn infinity into null; it must be reported instead. */
const finite = (name: string, shown: string): string =>
  `CASE WHEN isfinite(${name}) THEN ${shown} ELSE ${name}::text END`;

/** Converts the text, because a cast of `real` to `numeric` rounds to 6 digits. */
const withoutExponent = (name: string): string =>
  `CASE WHEN ${name}::text LIKE '%e%' THEN ${name}::text::numeric::text ELSE ${name}::text END`;

export const POSTGRES: SqlDialect = {
  tableFunction: 'postgresql',
  floats: {},
  columns: (address) => `SELECT attname::text AS name,
  format_type(CASE WHEN typtype = 'd' THEN typbasetype ELSE atttypid END, NULL) AS type,
  CASE WHEN attnotnull THEN '0' ELSE '1' END AS nullable
FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
WHERE attrelid = to_regclass(${text(table(address))}) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  tables: () => `SELECT DISTINCT relname::text AS name FROM pg_class
WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND pg_table_is_visible(oid) AND relname NOT LIKE 'pg\\_%' LIMIT 10000`,
  kindOf: (type) => valueForType(KINDS, type) ?? 'other',
  identifier,
  table,
  text: ({ name, type }: SourceColumn) =>
    valueForType(TEXTS, type)?.(identifier(name)) ?? `${identifier(name)}::text`,
  since: {
    instant: (name, { instant }) => `${name} >= to_timestamp(${instant})`,
    clock: (name, { clock }) => `${name} >= timestamp '${clock}'`,
    day: (name, { clock }) => `${name} >= date '${clock.slice(0, 10)}'`,
  },
};
