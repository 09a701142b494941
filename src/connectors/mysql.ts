/** The SQL dialect of MySQL and MariaDB. */

import { type ColumnKind, type SourceColumn, type SqlDialect, valueForType } from './dialect.ts';

const identifier = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** A hexadecimal literal does not depend on the server's settings. */
const text = (value: string): string =>
  `CONVERT(X'${Buffer.from(value).toString('hex')}' USING utf8mb4)`;

const KINDS: Readonly<Record<string, ColumnKind>> = {
  timestamp: 'instant',
  datetime: 'clock',
  date: 'day',
};

const asText = (expression: string): string => `CAST(${expression} AS CHAR CHARACTER SET utf8mb4)`;

/** MySQL writes a missing date as zeros. */
const withoutZero = (date: string): string => `NULLIF(${date}, '0000-00-00 00:00:00')`;

/**
 * Also selects rows whose date is zeros: they have no date, so the condition must not leave them out. The comparison
 * with 0 can use an index.
 */
const orZero = (name: string, condition: string): string => `(${condition} OR ${name} = 0)`;

const itself = (name: string): string => name;

/** SQL for the text of a value, by column type. All other types are converted by a plain cast. */
const TEXTS: Readonly<Record<string, (name: string) => string>> = {
  // UNIX_TIMESTAMP does not depend on the time zone of the connection; it is 0 for a date of zeros.
  timestamp: (name) =>
    `DATE_FORMAT(DATE_ADD('1970-01-01 00:00:00', INTERVAL NULLIF(FLOOR(UNIX_TIMESTAMP(${name})), 0) SECOND), '%Y-%m-%dT%H:%i:%sZ')`,
  datetime: (name) => withoutZero(`LEFT(${asText(name)}, 19)`),
  date: (name) => withoutZero(`CONCAT(${asText(name)}, ' 00:00:00')`),
  // The text of a FLOAT has only 6 digits.
  float: (name) => asText(`${name} + 0e0`),
  bit: (name) => asText(`${name} + 0`),
  // Binary types are not converted, because invalid UTF-8 would become question marks.
  binary: itself,
  varbinary: itself,
  tinyblob: itself,
  blob: itself,
  mediumblob: itself,
  longblob: itself,
};

export const MYSQL: SqlDialect = {
  tableFunction: 'mysql',
  floats: {
    // The text is that of a 64-bit float.
    float: (text) => `toFloat32(toFloat64(${text}))`,
    double: (text) => `toFloat64(${text})`,
  },
  columns: ({ database, table }) => `SELECT column_name AS name, data_type AS type,
  IF(is_nullable = 'YES', '1', '0') AS nullable FROM information_schema.columns
WHERE table_schema = ${text(database)} AND table_name = ${text(table)} ORDER BY ordinal_position`,
  tables: ({ database }) => `SELECT table_name AS name FROM information_schema.tables
WHERE table_schema = ${text(database)} LIMIT 10000`,
  kindOf: (type) => valueForType(KINDS, type) ?? 'other',
  identifier,
  table: ({ table }) => identifier(table),
  text: ({ name, type }: SourceColumn) =>
    valueForType(TEXTS, type)?.(identifier(name)) ?? asText(identifier(name)),
  since: {
    // The first comparison can use an index, but may be an hour off when daylight saving time ends. The second
    // is exact.
    instant: (name, { instant }) =>
      orZero(
        name,
        `${name} >= FROM_UNIXTIME(${Math.max(instant - 3600, 1)}) AND UNIX_TIMESTAMP(${name}) >= ${instant}`,
      ),
    clock: (name, { clock }) => orZero(name, `${name} >= '${clock}'`),
    day: (name, { clock }) => orZero(name, `${name} >= '${clock.slice(0, 10)}'`),
  },
};
