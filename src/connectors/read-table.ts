/** Exports a table of another database to a CSV file, with every value as text. */

import { appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { suggestionFor } from '../contract/query/suggestion.ts';
import { floatText } from '../ingest/checks/text-columns.ts';
import type { ImportFile } from '../ingest/files/import-file.ts';
import { checkColumns, KEY_COLUMN, MAPPABLE_COLUMNS } from '../ingest/files/known-columns.ts';
import { checkMapped, type Mapping, usedColumns } from '../ingest/files/mapping.ts';
import { literal } from '../plan/sql.ts';
import { UserError } from '../user-error.ts';
import {
  type SourceColumn,
  type SqlDialect,
  selectQuery,
  sinceCondition,
  valueForType,
} from './dialect.ts';
import { MYSQL } from './mysql.ts';
import { POSTGRES } from './postgres.ts';
import type { ReadRequest } from './reader-messages.ts';
import type { SourceTableAddress } from './source-address.ts';
import type { TemporaryEngine } from './temporary-engine.ts';

const DIALECTS = { postgres: POSTGRES, mysql: MYSQL } as const;

/** How this module writes the file. What the user says about the dialect of files does not apply to it. */
const WRITTEN = { delimiter: ',', encoding: 'utf-8' } as const;

type TableRequest = ReadRequest & { readonly address: SourceTableAddress };

/** Returns the file, with columns named c0, c1, … and a mapping for them. */
export async function readTable(
  engine: TemporaryEngine,
  request: TableRequest,
): Promise<ImportFile> {
  const { address, directory } = request;
  const dialect = DIALECTS[address.kind];
  const there = await columnsOf(engine, dialect, address);
  const mapping = usableMapping(request, there);
  const names = usedColumns(mapping);
  const taken = names.flatMap((name) => there.find((column) => column.name === name) ?? []);
  const query = selectQuery(dialect, address, taken, conditionOf(dialect, request, mapping, taken));
  const cells = taken.map(({ type }, at) => {
    const float = valueForType(dialect.floats, type)?.(`c${at}`);
    const text = float === undefined ? `toString(c${at})` : floatText(float);
    return `ifNull(${text}, '') AS c${at}`;
  });
  const path = join(directory, 'table.csv.zst');
  await engine.write(
    `SELECT ${cells.join(', ')} FROM ${remote(dialect, address, query)}`,
    path,
    'CSVWithNames',
  );
  return {
    path: await withHeader(path, join(directory, 'empty.csv'), taken.length),
    name: address.name,
    mapping: renamed(mapping, names),
    key: keyOf(mapping, KEY_COLUMN[request.rows]),
    dialect: WRITTEN,
  };
}

const remote = (dialect: SqlDialect, address: SourceTableAddress, query: string): string => {
  const { host, port, database, user, password } = address;
  const [place, base, name, secret] = [`${host}:${port}`, database, user, password].map(literal);
  return `${dialect.tableFunction}(${place}, ${base}, query(${literal(query)}), ${name}, ${secret})`;
};

const COLUMN_ROW = v.object({ name: v.string(), type: v.string(), nullable: v.string() });
const TABLE_ROW = v.object({ name: v.string() });

async function columnsOf(
  engine: TemporaryEngine,
  dialect: SqlDialect,
  address: SourceTableAddress,
): Promise<readonly SourceColumn[]> {
  const ask = async <Row>(
    schema: v.ObjectSchema<v.ObjectEntries, undefined> & v.GenericSchema<unknown, Row>,
    query: string,
  ) => {
    const columns = Object.keys(schema.entries).map((name) => `toString(${name}) AS ${name}`);
    return await engine.rows<Row>(
      schema,
      `SELECT ${columns.join(', ')} FROM ${remote(dialect, address, query)}`,
    );
  };
  const found = await ask(COLUMN_ROW, dialect.columns(address));
  if (found.length === 0) {
    const tables = await ask(TABLE_ROW, dialect.tables(address));
    throw unknownTable(
      address,
      tables.map(({ name }) => name),
    );
  }
  return found.map(({ name, type, nullable }) => ({
    name,
    type,
    kind: dialect.kindOf(type),
    nullable: nullable === '1',
  }));
}

function unknownTable(
  { name, table, kind }: SourceTableAddress,
  tables: readonly string[],
): UserError {
  const schema = kind === 'postgres' ? ', and its schema: &schema=…' : '';
  return new UserError(
    `${name}: there is no table "${table}", or this user may not see it.${suggestionFor(table, tables)}`,
    `Name the table or view in the URL: ?table=…${schema}`,
  );
}

/** The given mapping, or one that maps each column to the field of the same name. */
function usableMapping(
  { address, mapping, ...expected }: TableRequest,
  there: readonly SourceColumn[],
): Mapping {
  const names = there.map(({ name }) => name);
  if (mapping !== undefined) {
    checkMapped(address.name, names, mapping);
    return mapping;
  }
  checkColumns(address.name, names, expected);
  const known = names.filter((name) => MAPPABLE_COLUMNS[expected.rows].includes(name));
  return { fields: Object.fromEntries(known.map((name) => [name, { from: name }])) };
}

function conditionOf(
  dialect: SqlDialect,
  { address, since }: TableRequest,
  { fields }: Mapping,
  taken: readonly SourceColumn[],
): string | undefined {
  if (since === undefined) return undefined;
  const field = fields.updated_at;
  const column =
    field && 'from' in field ? taken.find(({ name }) => name === field.from) : undefined;
  if (column !== undefined && column.kind !== 'other') {
    return sinceCondition(dialect, { ...column, kind: column.kind }, since);
  }
  const found =
    column === undefined
      ? 'no column is mapped to updated_at'
      : `"${column.name}" of updated_at has the type ${column.type}`;
  throw new UserError(
    `${address.name}: --since needs a column of dates, but ${found}.`,
    'Map updated_at to a column of dates, or leave --since out: a repeated import changes nothing.',
  );
}

/** Returns `path`, or `empty` with a header if there are no rows: the engine then writes an empty file or none. */
async function withHeader(path: string, empty: string, columns: number): Promise<string> {
  const bytes = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  if (bytes > 0) return path;
  await appendFile(empty, `${Array.from({ length: columns }, (_, at) => `c${at}`).join(',')}\n`);
  return empty;
}

function renamed({ fields, timeZone }: Mapping, names: readonly string[]): Mapping {
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    'from' in field ? { ...field, from: `c${names.indexOf(field.from)}` } : field,
  ]);
  return { fields: Object.fromEntries(entries), timeZone };
}

function keyOf({ fields }: Mapping, key: string): string {
  const field = fields[key];
  return field !== undefined && 'from' in field ? field.from : key;
}
