/** How the engine reads a file: the table function, its settings, and where each column's text is. */

import { literal } from '../plan/sql.ts';
import type { Engine } from '../store/engine.ts';
import { KNOWN_COLUMNS } from './known-columns.ts';
import { parquetColumns } from './parquet-columns.ts';
import type { SourceFile } from './source-file.ts';
import type { Staging } from './staging.ts';
import type { TextColumns } from './text-columns.ts';

export interface FileTable {
  /** It is called `source`, so that its columns cannot be taken for those that are made of them. */
  readonly table: string;
  readonly settings: readonly string[];
  /** The names of the columns as the file has them. */
  readonly names: readonly string[];
  readonly columns: TextColumns;
  /** Where it is true of any row, the engine may have misread the file. */
  readonly doubt: string;
}

/** A path is a path: its parts are no columns, and a file is read as it is now. */
const FILE_SETTINGS = ['use_hive_partitioning = 0', 'schema_inference_use_cache_for_file = 0'];

const CSV_SETTINGS = [
  'input_format_csv_skip_first_lines = 1',
  'input_format_csv_detect_header = 0',
  'input_format_csv_skip_trailing_empty_lines = 1',
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
  staging: Staging,
  { name, path, form, compression }: SourceFile,
): Promise<FileTable> {
  const place = (format: string, structure: string) =>
    `file(${literal(path)}, '${format}', ${structure}, '${compression}') AS source`;
  const texts = (names: readonly string[]) => ({
    names,
    columns: new Map(names.map((column) => [column, `source.${column}`])),
    doubt: 'false',
  });
  const structure = (names: readonly string[]) =>
    literal(names.map((column) => `${column} String`).join(', '));
  switch (form.format) {
    case 'csv':
      return {
        table: place('CSV', structure(form.columns)),
        settings: [`format_csv_delimiter = '${form.delimiter}'`, ...CSV_SETTINGS, ...FILE_SETTINGS],
        ...texts(form.columns),
        // A quote that is never closed takes all that follows into the last cell.
        doubt: `position(source.${form.columns.at(-1)}, '\\n') > 0`,
      };
    case 'ndjson':
      return {
        table: place('JSONEachRow', structure(KNOWN_COLUMNS)),
        settings: [...JSON_SETTINGS, ...FILE_SETTINGS],
        ...texts(KNOWN_COLUMNS),
      };
    case 'parquet': {
      const footer = place('ParquetMetadata', 'auto');
      const columns = await parquetColumns(engine, staging, name, footer);
      return {
        table: place('Parquet', 'auto'),
        settings: FILE_SETTINGS,
        names: [...columns.keys()],
        columns,
        doubt: 'false',
      };
    }
  }
}
