/** How the engine reads a file: the table function, its settings, and where each column's text is. */

import { command, literal } from '../plan/sql.ts';
import type { Engine } from '../store/engine.ts';
import { KNOWN_COLUMNS } from './known-columns.ts';
import type { Compression, SourceFile } from './source-file.ts';
import type { TextColumns } from './text-columns.ts';

export interface FileTable {
  readonly table: string;
  readonly settings: readonly string[];
  readonly columns: TextColumns;
}

const COMPRESSION: { readonly [name in Compression]: string } = {
  none: 'none',
  gzip: 'gzip',
  zstd: 'zstd',
};

const CSV_SETTINGS = [
  'input_format_csv_skip_first_lines = 1',
  'input_format_csv_trim_whitespaces = 0',
  'input_format_csv_allow_variable_number_of_columns = 0',
  'format_csv_allow_single_quotes = 0',
];

/** Whatever is no text, number or null is refused, and so are fields that no transaction has. */
const JSON_SETTINGS = [
  'input_format_skip_unknown_fields = 0',
  'input_format_json_read_numbers_as_strings = 1',
  'input_format_json_read_bools_as_strings = 0',
  'input_format_json_read_objects_as_strings = 0',
  'input_format_json_read_arrays_as_strings = 0',
];

/** The file as the engine reads it by itself: fast, but without the numbers of its lines. */
export async function fileTable(
  engine: Engine,
  { path, form, compression }: SourceFile,
): Promise<FileTable> {
  const place = (format: string, names: readonly string[]) =>
    `file(${literal(path)}, '${format}', '${names.map((name) => `${name} String`).join(', ')}', '${COMPRESSION[compression]}')`;
  switch (form.format) {
    case 'csv':
      return {
        table: place('CSV', form.columns),
        settings: [`format_csv_delimiter = '${form.delimiter}'`, ...CSV_SETTINGS],
        columns: new Map(form.columns.map((name) => [name, name])),
      };
    case 'ndjson':
      return {
        table: place('JSONEachRow', KNOWN_COLUMNS),
        settings: JSON_SETTINGS,
        columns: new Map(KNOWN_COLUMNS.map((name) => [name, name])),
      };
    case 'parquet': {
      const table = `file(${literal(path)}, 'Parquet')`;
      return { table, settings: [], columns: await parquetColumns(engine, table) };
    }
  }
}

/** A Parquet file's columns have types: dates become text, instants with their offset. */
async function parquetColumns(engine: Engine, table: string): Promise<TextColumns> {
  const rows = (await engine.rows(command(`DESCRIBE TABLE ${table}`))) as {
    name: string;
    type: string;
  }[];
  return new Map(rows.map(({ name, type }) => [name, textOf(quotedName(name), type)]));
}

const quotedName = (name: string): string =>
  `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;

function textOf(column: string, type: string): string {
  const isInstant = /DateTime(64)?\(.*'UTC'\)/.test(type);
  if (isInstant) return `ifNull(formatDateTime(${column}, '%FT%TZ', 'UTC'), '')`;
  if (/DateTime/.test(type)) return `ifNull(formatDateTime(${column}, '%F %T'), '')`;
  return `ifNull(toString(${column}), '')`;
}
