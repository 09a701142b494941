/** How the engine reads a file: the table function, its settings, and the expression of each column. */

import type { Readable } from 'node:stream';
import type { Engine } from '../../engine/engine.ts';
import { ANY_ROW, select } from '../../plan/select.ts';
import { literal, plainStatement } from '../../plan/sql.ts';
import type { TextColumns } from '../checks/text-columns.ts';
import type { Delimiter } from '../dialect/dialect.ts';
import { importContentOf } from './file-content.ts';
import { KNOWN_COLUMNS } from './known-columns.ts';
import { usedColumns } from './mapping.ts';
import { parquetColumns, quotedName } from './parquet-columns.ts';
import type { SourceFile } from './source-file.ts';

export interface FileTable {
  /** SQL with the alias `source`, which tells columns of the file from derived columns of the same name. */
  readonly table: string;
  readonly settings: readonly string[];
  /** The end of a statement that reads the file. */
  readonly format: string;
  /** The bytes of the file, to send with the statement if the engine cannot open the file itself. */
  readonly body: (() => Readable) | undefined;
  /** The names of the columns in the file. */
  readonly names: readonly string[];
  readonly columns: TextColumns;
  /** The columns whose cells are stored in a numbered row. */
  readonly cellColumns: readonly string[];
  /** The columns whose values have a type, so that they are not written in the dialect of the file. */
  readonly typed: readonly string[];
  /** SQL condition: if it is true for any row, the engine may have misread the file. */
  readonly misread: string;
}

/**
 * Settings for all files: parts of the path are not columns, and no schema of an earlier file is used. Files are
 * not mapped into memory, because they would count as memory of this process.
 */
export const SOURCE_FILE_SETTINGS = [
  'use_hive_partitioning = 0',
  'schema_inference_use_cache_for_file = 0',
  "storage_file_read_method = 'pread'",
];

const CSV_SETTINGS = [
  'input_format_csv_skip_first_lines = 1',
  'input_format_csv_detect_header = 0',
  'input_format_csv_skip_trailing_empty_lines = 1',
  'input_format_csv_trim_whitespaces = 0',
  'input_format_csv_allow_variable_number_of_columns = 0',
  'format_csv_allow_single_quotes = 0',
];

/** Without the second setting, the engine skips a tab as white space. */
const delimitedBy = (delimiter: Delimiter): readonly string[] => [
  `format_csv_delimiter = ${literal(delimiter)}`,
  `input_format_csv_allow_whitespace_or_tab_as_delimiter = ${delimiter === '\t' ? 1 : 0}`,
];

/** Only texts, numbers and null are accepted. */
const JSON_SETTINGS = [
  'input_format_json_read_numbers_as_strings = 1',
  'input_format_json_read_bools_as_strings = 0',
  'input_format_json_read_objects_as_strings = 0',
  'input_format_json_read_arrays_as_strings = 0',
];

/**
 * NDJSON without numbers: a number makes the fast path fail, so that the file is read row by row. The engine reads
 * numbers as texts, so it cannot tell the number 1.234 from a text that means 1234.
 */
export const withoutNumbers = (table: FileTable): FileTable => ({
  ...table,
  settings: [...table.settings, 'input_format_json_read_numbers_as_strings = 0'],
});

/** The setting with which newer engines ignore the case of names. Older engines do not know it, and compare exactly. */
const NAME_MATCHING = 'input_format_column_name_matching_mode';

async function exactNames(engine: Pick<Engine, 'rows'>): Promise<readonly string[]> {
  const known = plainStatement(`SELECT 1 FROM system.settings WHERE name = '${NAME_MATCHING}'`);
  const isKnown = (await engine.rows(select(ANY_ROW, known))).length > 0;
  return isKnown ? [`${NAME_MATCHING} = 'match_case'`] : [];
}

/** Unknown fields are refused; with a mapping, fields that it does not name are ignored. */
const unknownFields = ({ mapping }: SourceFile): string =>
  `input_format_skip_unknown_fields = ${mapping === undefined ? 0 : 1}`;

/** The file as the engine reads it: fast, but without line numbers. `known` are the columns it may have. */
export async function fileTable(
  engine: Pick<Engine, 'opensFiles' | 'rows'>,
  source: SourceFile,
  known: readonly string[] = KNOWN_COLUMNS,
): Promise<FileTable> {
  const { form } = source;
  const cellColumns = source.mapping ? usedColumns(source.mapping) : known;
  switch (form.format) {
    case 'csv':
      return {
        // Columns are numbered, because a header may contain any names.
        ...tableFunctionOf(
          engine,
          source,
          'CSV',
          form.columns.map((_, at) => `c${at} String`),
        ),
        settings: [...delimitedBy(form.delimiter), ...CSV_SETTINGS, ...SOURCE_FILE_SETTINGS],
        names: form.columns,
        cellColumns: form.columns,
        typed: [],
        columns: new Map(form.columns.map((column, at) => [column, `source.c${at}`])),
        // After a quote that is never closed, the last cell contains all following lines.
        misread: `position(source.c${form.columns.length - 1}, '\\n') > 0`,
      };
    case 'ndjson':
      return {
        ...tableFunctionOf(
          engine,
          source,
          'JSONEachRow',
          cellColumns.map((name) => `${quotedName(name)} String`),
        ),
        settings: [
          ...JSON_SETTINGS,
          unknownFields(source),
          ...(await exactNames(engine)),
          ...SOURCE_FILE_SETTINGS,
        ],
        names: cellColumns,
        cellColumns,
        typed: [],
        columns: new Map(cellColumns.map((name) => [name, `source.${quotedName(name)}`])),
        misread: 'false',
      };
    case 'parquet': {
      const used = source.mapping && usedColumns(source.mapping);
      const columns = await parquetColumns(source.path, source.name, used);
      const types = columns.map(({ name, type }) => `${quotedName(name)} ${type}`);
      return {
        ...tableFunctionOf(engine, source, 'Parquet', types),
        settings: SOURCE_FILE_SETTINGS,
        names: columns.map(({ name }) => name),
        cellColumns,
        typed: columns.filter(({ isTyped }) => isTyped).map(({ name }) => name),
        columns: new Map(columns.map(({ name, text }) => [name, text])),
        misread: 'false',
      };
    }
  }
}

/** A table function for the file itself, or for the bytes sent with the statement. */
export function tableFunctionOf(
  engine: Pick<Engine, 'opensFiles'>,
  source: Pick<SourceFile, 'name' | 'path' | 'compression'>,
  format: string,
  structure: readonly string[],
): Pick<FileTable, 'table' | 'format' | 'body'> {
  const columns = literal(structure.join(', '));
  if (!engine.opensFiles) {
    const body = () => importContentOf(source);
    return { table: `input(${columns}) AS source`, format: `FORMAT ${format}`, body };
  }
  const { path, compression } = source;
  const table = `file(${literal(path)}, '${format}', ${columns}, '${compression}') AS source`;
  return { table, format: '', body: undefined };
}
