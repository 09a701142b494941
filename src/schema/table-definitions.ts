/** The tables of transactions, derived from the table of fields. */

import { assertNever } from '../contract/assert-never.ts';
import { isStored, type StoredField } from '../contract/record/fields.ts';
import { KINDS } from '../contract/record/kinds.ts';
import { RECORDS, type Role } from '../contract/record/records.ts';
import { renderedRecord } from '../plan/rendering.ts';
import { RECORD_HASH } from '../plan/report-table.ts';
import { ONE_SERVER, replacingEngine, type Topology } from './topology.ts';

export interface Column {
  readonly name: string;
  readonly type: string;
  /** The expression of a column that the table computes itself. */
  readonly materialized?: string | undefined;
  readonly codec?: string;
}

const KIND_TYPE = `Enum8(${KINDS.map((kind, at) => `'${kind}' = ${at + 1}`).join(', ')})`;

interface StoredColumn {
  readonly name: string;
  readonly field: StoredField;
}

/** The engine's type of a field's column; dates are instants shown in the platform's time zone. */
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

/** The stored fields of an audience's table, under the names of their columns. */
export function storedFields(role: Role): readonly StoredColumn[] {
  return RECORDS[role].flatMap(({ name, field }) => (isStored(field) ? [{ name, field }] : []));
}

/**
 * The hash of all that an audience sees of a row, for the fingerprints of summaries.
 *
 * Of one text, and by a hash that has a standard (SipHash-2-4): no other engine or version makes
 * another one of the same row.
 */
const HASHED_RECORD = "sipHash64(concat(record_head, record_tail, '\\n', toString(type)))";

/** Twice the bytes of ZSTD(1), and some 7 % less time for whoever reads or imports everything. */
const RECORD_CODEC = 'LZ4';

/** All columns of an audience's table. */
export function columnsOf(role: Role, timeZone: string): readonly Column[] {
  const record = renderedRecord(role);
  return [
    { name: 'type', type: KIND_TYPE },
    ...storedFields(role).map(({ name, field }) => ({
      name,
      type: columnType(field, timeZone),
    })),
    { name: 'record_head', type: 'String', materialized: record.head, codec: RECORD_CODEC },
    { name: 'record_tail', type: 'String', materialized: record.tail, codec: RECORD_CODEC },
    { name: RECORD_HASH, type: 'UInt64', materialized: HASHED_RECORD, codec: 'NONE' },
  ];
}

export function columnDefinition(column: Column): string {
  const materialized = column.materialized ? ` MATERIALIZED ${column.materialized}` : '';
  const codec = column.codec ? ` CODEC(${column.codec})` : '';
  return `${column.name} ${column.type}${materialized}${codec}`;
}

/** How each audience's table is sorted: what its readers ask for lies together. */
export const SORTING_KEY: { readonly [role in Role]: string } = {
  admin: 'type, created_at, transaction_id',
  affiliate: 'type, publisher_id, created_at, transaction_id',
};

/** Rows between two marks of the primary index: the fewest that are read, and that a block may have. */
export const GRANULARITY = 256;

/** Finds the block of an identifier without reading the others, as identifiers grow with time. */
const IDENTIFIER_INDEX = 'INDEX transaction_ids transaction_id TYPE minmax GRANULARITY 1';

/** Dates that the tables are not sorted by grow with the one that they are, so most blocks are without them. */
const DATE_INDEXES = ['updated_at', 'validation_date'].map((date) => ({
  name: `${date}s`,
  definition: `${date}s ${date} TYPE minmax GRANULARITY 4`,
}));

/** Gives a table of an earlier version what {@link createTable} gives a new one. */
export const addDateIndexes = (table: string): readonly string[] =>
  DATE_INDEXES.flatMap(({ name, definition }) => [
    `ALTER TABLE ${table} ADD INDEX IF NOT EXISTS ${definition}`,
    `ALTER TABLE ${table} MATERIALIZE INDEX ${name} SETTINGS mutations_sync = 2`,
  ]);

/** Gives the records to come the codec of {@link createTable}; those that are there keep theirs. */
export const recode = (table: string): string =>
  `ALTER TABLE ${table} MODIFY COLUMN record_head CODEC(${RECORD_CODEC}), MODIFY COLUMN record_tail CODEC(${RECORD_CODEC})`;

/** By month, in the platform's time zone. */
export const PARTITIONS = 'PARTITION BY toYYYYMM(created_at)';

/** A table for the newest version of each transaction, by month. */
export function createTable(
  role: Role,
  table: string,
  timeZone: string,
  topology: Topology = ONE_SERVER,
): string {
  const definitions = columnsOf(role, timeZone).map(columnDefinition);
  const indexes = [
    ...(role === 'admin' ? [IDENTIFIER_INDEX] : []),
    ...DATE_INDEXES.map(({ definition }) => `INDEX ${definition}`),
  ];
  return `CREATE TABLE IF NOT EXISTS ${table} (
  ${[...definitions, ...indexes].join(',\n  ')}
) ${storage(role, table, topology)}`;
}

/** How an audience's table is kept. */
export const storage = (role: Role, table: string, topology: Topology): string =>
  `ENGINE = ${replacingEngine(topology, table, 'updated_at')}
${PARTITIONS}
ORDER BY (${SORTING_KEY[role]})
SETTINGS index_granularity = ${GRANULARITY}`;

/** The view that fills the affiliates' table. */
export const FEED = 'affiliate_transactions_feed';

/** The columns of an affiliates' table, and the query that gets them from an administrators' one. */
export function fedColumns(from: string): { readonly columns: string; readonly select: string } {
  const fields = storedFields('affiliate');
  const expressions = fields.map(({ name, field }) =>
    name === field.name ? name : `${field.name} AS ${name}`,
  );
  return {
    columns: ['type', ...fields.map(({ name }) => name)].join(', '),
    select: `SELECT ${['type', ...expressions].join(', ')} FROM ${from}`,
  };
}

/** Fills an affiliates' table from an administrators' one, with what affiliates may see. */
export const createFeed = (view: string, from: string, to: string): string =>
  `CREATE MATERIALIZED VIEW IF NOT EXISTS ${view} TO ${to} AS
${fedColumns(from).select}`;
