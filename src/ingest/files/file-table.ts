/** How the engine reads a file: the table function, its settings, and where each column's text is. */

import type { Readable } from 'node:stream';
import type { Engine } from '../../engine/engine.ts';
import { literal } from '../../plan/sql.ts';
import type { TextColumns } from '../checks/text-columns.ts';
import { namedContentOf } from './file-content.ts';
import { KNOWN_COLUMNS } from './known-columns.ts';
import { columnsTaken } from './mapping.ts';
import { parquetColumns, quotedName } from './parquet-columns.ts';
import type { SourceFile } from './source-file.ts';

export interface FileTable {
  /** It is called `source`, so that its columns cannot be taken for those that are made of them. */
  readonly table: string;
  readonly settings: readonly string[];
  /** What ends a statement that reads it. */
  readonly format: string;
  /** The bytes that go with such a statement, where the engine cannot open the file by itself. */
  readonly body: (() => Readable) | undefined;
  /** The names of the columns as the file has them. */
  readonly names: readonly string[];
  readonly columns: TextColumns;
  /** The columns that are kept of a row where it has to be named. */
  readonly kept: readonly string[];
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

/** Whatever is no text, number or null is refused. */
const JSON_SETTINGS = [
  'input_format_json_read_numbers_as_strings = 1',
  'input_format_json_read_bools_as_strings = 0',
  'input_format_json_read_objects_as_strings = 0',
  'input_format_json_read_arrays_as_strings = 0',
];

/** A field that no transaction has is refused; where a mapping says what is taken, it is left out. */
const unknownFields = ({ mapping }: SourceFile): string =>
  `input_format_skip_unknown_fields = ${mapping === undefined ? 0 : 1}`;

/** The file as the engine reads it by itself: fast, but without the numbers of its lines. */
export async function fileTable(engine: Engine, source: SourceFile): Promise<FileTable> {
  const { form } = source;
  const kept = source.mapping ? columnsTaken(source.mapping) : KNOWN_COLUMNS;
  switch (form.format) {
    case 'csv':
      return {
        // Its columns are told by their places: a header may hold any names.
        ...placeOf(
          engine,
          source,
          'CSV',
          form.columns.map((_, at) => `c${at} String`),
        ),
        settings: [`format_csv_delimiter = '${form.delimiter}'`, ...CSV_SETTINGS, ...FILE_SETTINGS],
        names: form.columns,
        kept: form.columns,
        columns: new Map(form.columns.map((column, at) => [column, `source.c${at}`])),
        // A quote that is never closed takes all that follows into the last cell.
        doubt: `position(source.c${form.columns.length - 1}, '\\n') > 0`,
      };
    case 'ndjson':
      return {
        ...placeOf(
          engine,
          source,
          'JSONEachRow',
          kept.map((name) => `${quotedName(name)} String`),
        ),
        settings: [...JSON_SETTINGS, unknownFields(source), ...FILE_SETTINGS],
        names: kept,
        kept,
        columns: new Map(kept.map((name) => [name, `source.${quotedName(name)}`])),
        doubt: 'false',
      };
    case 'parquet': {
      const columns = await parquetColumns(source.path, source.name);
      const types = columns.map(({ name, type }) => `${quotedName(name)} ${type}`);
      return {
        ...placeOf(engine, source, 'Parquet', types),
        settings: FILE_SETTINGS,
        names: columns.map(({ name }) => name),
        kept,
        columns: new Map(columns.map(({ name, text }) => [name, text])),
        doubt: 'false',
      };
    }
  }
}

/** The file itself where the engine opens files, else what is sent along with the statement. */
export function placeOf(
  engine: Engine,
  source: Pick<SourceFile, 'name' | 'path' | 'compression'>,
  format: string,
  structure: readonly string[],
): Pick<FileTable, 'table' | 'format' | 'body'> {
  const columns = literal(structure.join(', '));
  if (!engine.opensFiles) {
    const body = () => namedContentOf(source);
    return { table: `input(${columns}) AS source`, format: `FORMAT ${format}`, body };
  }
  const { path, compression } = source;
  const table = `file(${literal(path)}, '${format}', ${columns}, '${compression}') AS source`;
  return { table, format: '', body: undefined };
}
