/** Definitions of the tables of transactions, derived from the table of fields. */

import { assertNever } from '../contract/assert-never.ts';
import type { AddressVisibility, Visibility } from '../contract/record/address-visibility.ts';
import { isStored, type StoredField } from '../contract/record/fields.ts';
import { KINDS } from '../contract/record/kinds.ts';
import { RECORD_FIELDS, type Role } from '../contract/record/records.ts';
import { renderedFields, shownColumn } from '../plan/rendering/json-rendering.ts';
import { RECORD_HASH } from '../plan/report-table.ts';
import { shownAddress } from './shown-address.ts';
import { ONE_SERVER, replacingEngine, type Topology } from './topology.ts';

export interface Column {
  readonly name: string;
  readonly type: string;
  /** The expression of a computed column. */
  readonly materialized?: string | undefined;
  /** The expression of a column that is computed when it is read. */
  readonly alias?: string;
  readonly codec?: string;
}

export const KIND_COLUMN_TYPE = `Enum8(${KINDS.map((kind, at) => `'${kind}' = ${at + 1}`).join(', ')})`;

interface StoredColumn {
  readonly name: string;
  readonly field: StoredField;
}

/** The column type of a field. Dates are instants, with the time zone of the platform for display. */
export function columnType(field: StoredField, timeZone: string): string {
  const type = bareType(field, timeZone);
  if (field.required) return type;
  return field.type === 'word' || field.type === 'country'
    ? `LowCardinality(Nullable(${type}))`
    : `Nullable(${type})`;
}

function bareType({ type }: StoredField, timeZone: string): string {
  switch (type) {
    case 'integer':
      return 'UInt64';
    case 'decimal':
      return 'Decimal(18, 6)';
    case 'date':
      return `DateTime('${timeZone}')`;
    case 'status':
      return 'UInt8';
    case 'text':
    case 'word':
    case 'address':
    case 'country':
      return 'String';
    default:
      return assertNever(type);
  }
}

/** The stored fields of a role, under the names of their columns. */
export function storedFields(role: Role): readonly StoredColumn[] {
  return RECORD_FIELDS[role].flatMap(({ name, field }) =>
    isStored(field) ? [{ name, field }] : [],
  );
}

/**
 * The hash of everything that a role sees of a row, for the fingerprints of summaries.
 *
 * The columns are joined into one text. Its hash is standard SipHash-2-4, which every version of the engine computes
 * alike. For several arguments there is no standard.
 */
const HASHED_RECORD = "sipHash64(concat(record_head, record_tail, '\\n', toString(type)))";

/** Takes twice the space of ZSTD(1), and about 7 % less time to read or import everything. */
const RECORD_CODEC = 'LZ4';

/**
 * What a role sees of the addresses that its own table holds. The affiliates' table holds only what
 * affiliates may see (see affiliate-view.ts), so all of that is shown.
 */
const shownInTable = (role: Role, addresses: AddressVisibility): Visibility =>
  role === 'affiliate' ? 'full' : addresses.admin;

/** All columns of a role's table. */
export function columnsOf(
  role: Role,
  timeZone: string,
  addresses: AddressVisibility,
): readonly Column[] {
  const shown = shownInTable(role, addresses);
  const record = renderedFields(RECORD_FIELDS[role], (field, name) =>
    field.type === 'address' ? shownAddress(name, shown) : name,
  );
  return [
    { name: 'type', type: KIND_COLUMN_TYPE },
    ...storedFields(role).map(({ name, field }) => ({
      name,
      type: columnType(field, timeZone),
    })),
    { name: 'record_head', type: 'String', materialized: record.head, codec: RECORD_CODEC },
    { name: 'record_tail', type: 'String', materialized: record.tail, codec: RECORD_CODEC },
    { name: RECORD_HASH, type: 'UInt64', materialized: HASHED_RECORD, codec: 'NONE' },
    ...storedFields(role)
      .filter(({ field }) => field.type === 'address')
      .map(({ name, field }) => ({
        name: shownColumn(name),
        type: columnType(field, timeZone),
        alias: shownAddress(name, shown),
      })),
  ];
}

export function columnDefinition(column: Column): string {
  const materialized = column.materialized ? ` MATERIALIZED ${column.materialized}` : '';
  const alias = column.alias ? ` ALIAS ${column.alias}` : '';
  const codec = column.codec ? ` CODEC(${column.codec})` : '';
  return `${column.name} ${column.type}${materialized}${alias}${codec}`;
}

/** The sorting key of each role's table: rows that are listed together are stored together. */
export const SORTING_KEY: { readonly [role in Role]: string } = {
  admin: 'type, created_at, transaction_id',
  affiliate: 'type, publisher_id, created_at, transaction_id',
};

/** Rows of a granule, the smallest number of rows that the engine reads. */
export const GRANULARITY = 256;

/** Skips granules without the requested identifier. It is selective, as identifiers grow with time. */
const IDENTIFIER_INDEX = 'INDEX transaction_ids transaction_id TYPE minmax GRANULARITY 1';

/** Skip granules without dates of the period. They are selective, as both dates grow with the date of creation. */
const DATE_INDEXES = ['updated_at', 'validation_date'].map((date) => ({
  name: `${date}s`,
  definition: `${date}s ${date} TYPE minmax GRANULARITY 4`,
}));

/** Adds the indexes to a table that was created without them. */
export const addDateIndexesSql = (table: string): readonly string[] =>
  DATE_INDEXES.flatMap(({ name, definition }) => [
    `ALTER TABLE ${table} ADD INDEX IF NOT EXISTS ${definition}`,
    `ALTER TABLE ${table} MATERIALIZE INDEX ${name} SETTINGS mutations_sync = 2`,
  ]);

/** Sets the codec of records that are written from now on. */
export const setRecordCodecSql = (table: string): string =>
  `ALTER TABLE ${table} MODIFY COLUMN record_head CODEC(${RECORD_CODEC}), MODIFY COLUMN record_tail CODEC(${RECORD_CODEC})`;

/** By month, in the time zone of the platform. */
export const PARTITIONS = 'PARTITION BY toYYYYMM(created_at)';

/** Creates a role's table, which keeps the newest version of each transaction. */
export function transactionTableSql(
  role: Role,
  table: string,
  timeZone: string,
  addresses: AddressVisibility,
  topology: Topology = ONE_SERVER,
): string {
  const definitions = columnsOf(role, timeZone, addresses).map(columnDefinition);
  const indexes = [
    ...(role === 'admin' ? [IDENTIFIER_INDEX] : []),
    ...DATE_INDEXES.map(({ definition }) => `INDEX ${definition}`),
  ];
  return `CREATE TABLE IF NOT EXISTS ${table} (
  ${[...definitions, ...indexes].join(',\n  ')}
) ${storage(role, table, topology)}`;
}

/** The storage clauses of a role's table. */
export const storage = (role: Role, table: string, topology: Topology): string =>
  `ENGINE = ${replacingEngine(topology, table, 'updated_at')}
${PARTITIONS}
ORDER BY (${SORTING_KEY[role]})
SETTINGS index_granularity = ${GRANULARITY}`;
