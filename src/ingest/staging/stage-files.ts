/** Loads checked rows of files into staging tables: by the fast path, or row by row. */

import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine, ExecuteOptions } from '../../engine/engine.ts';
import { EngineFailure } from '../../engine/engine.ts';
import { plainStatement } from '../../plan/sql.ts';
import type { CheckOptions } from '../checks/check.ts';
import { faultConditions } from '../checks/checks.ts';
import { cellTexts, type NumberedRows, validRowsSql } from '../checks/row-faults.ts';
import { storedValues, type ValueOptions } from '../checks/stored-values.ts';
import { normalisedColumns, type TextColumns } from '../checks/text-columns.ts';
import { unreadable } from '../files/file-content.ts';
import { hasClosedQuotes } from '../files/file-end.ts';
import { SOURCE_FILE_SETTINGS, tableFunctionOf } from '../files/file-table.ts';
import { codeChecks, codeColumns, mappedColumns } from '../files/mapping.ts';
import { writeNumberedRows } from '../files/numbered-rows.ts';
import type { OpenedFile } from '../files/open-files.ts';
import { hasWholeFrames } from '../files/zstd-frames.ts';
import type { ErasureInput } from './apply-erasures.ts';
import type { Staging } from './staging.ts';

export type StageOptions = CheckOptions &
  ValueOptions & {
    /** Applies erasures; undefined if nothing was ever erased. */
    readonly erasureInput: ErasureInput | undefined;
  };

/** Rows of a block. 40,960 take 85 MB more and save no CPU time. */
const BLOCK_ROWS = 28_672;

/**
 * Settings to fill the tables in parallel, and to store every version of a transaction, so that conflicts
 * inside the files are found.
 *
 * A block of rows, in all tables, takes most of the memory of an import. Each column that is written also
 * has buffers, and each thread that parses has a chunk of the file. The settings keep all of them small.
 */
const INSERT_SETTINGS = [
  'max_insert_threads = 1',
  'parallel_view_processing = 1',
  `min_insert_block_size_rows = ${BLOCK_ROWS}`,
  'min_insert_block_size_bytes = 0',
  'max_compress_block_size = 131072',
  'min_chunk_bytes_for_parallel_parsing = 1048576',
  'max_partitions_per_insert_block = 0',
  'optimize_on_insert = 0',
  'materialized_views_ignore_errors = 0',
];

/** The columns of a numbered row in the temporary file. */
const NUMBERED_ROW = [
  'line UInt64',
  'fault_column String',
  'fault_reason String',
  'cells Array(String)',
];

const settingsClause = (settings: readonly string[]): string =>
  settings.length === 0 ? '' : `SETTINGS ${settings.join(', ')}`;

/** The table and columns into which rows are inserted, and the values. */
function insertion({ transactions }: Staging, source: TextColumns, options: StageOptions) {
  const { columns, expressions } = storedValues(source, options);
  const { erasureInput } = options;
  return erasureInput === undefined
    ? { into: `${transactions} (${columns})`, expressions }
    : {
        into: `${erasureInput.table} (${columns}, erased)`,
        expressions: `${expressions}, ${erasureInput.erased}`,
      };
}

/** Fast path: one statement reads, checks and stages a file. Returns false if any row is or may be faulty. */
export async function stageFast(
  engine: Engine,
  staging: Staging,
  { source, table }: OpenedFile,
  options: StageOptions,
  execution: ExecuteOptions,
): Promise<boolean> {
  const { mapping } = source;
  const columns = mappedColumns(table.columns, source);
  const faults = [
    'misread',
    ...codeChecks(mapping).map(({ condition }) => condition),
    ...faultConditions(columns, options),
  ];
  const texts = normalisedColumns(columns, options.type);
  const fields = [...texts, ...codeColumns(table.columns, mapping)].join(', ');
  const { into, expressions } = insertion(staging, columns, options);
  const text = `INSERT INTO ${into}
SELECT ${expressions}
FROM (SELECT ${table.misread} AS misread, ${fields} FROM ${table.table})
WHERE throwIf(${faults.map((condition) => `(${condition})`).join(' OR ')}) = 0
${settingsClause([...INSERT_SETTINGS, ...table.settings])} ${table.format}`;
  try {
    await engine.execute(plainStatement(text), { ...execution, body: table.body });
    return (await hasWholeFrames(source)) && (await hasClosedQuotes(source));
  } catch (error) {
    // Reading row by row gives the better error message.
    const isOfFile = error instanceof EngineFailure && !error.isTransient && !error.isDiskFull;
    if (isOfFile) return false;
    throw error;
  }
}

/** Loads the rows of a file as text with line numbers. */
export async function loadNumberedRows(
  engine: Engine,
  numbered: NumberedRows,
  workDirectory: string,
  execution: ExecuteOptions,
): Promise<void> {
  const { source, staging, file } = numbered;
  if (source.form.format === 'parquet') {
    const body = numbered.table.body;
    await engine
      .execute(plainStatement(insertParquetRowsSql(numbered)), { ...execution, body })
      .catch((cause: unknown) => {
        throw cause instanceof EngineFailure && !cause.isTransient
          ? unreadable(source.name, cause)
          : cause;
      });
    return;
  }
  const path = join(workDirectory, `${staging.id}-${file}.rows`);
  try {
    await writeNumberedRows(source, numbered.table.cellColumns, `${path}.part`, {
      signal: execution.signal,
    });
    await rename(`${path}.part`, path);
    const content = { name: source.name, path, compression: 'none' } as const;
    const rows = tableFunctionOf(engine, content, 'JSONCompactEachRow', NUMBERED_ROW);
    const text = `INSERT INTO ${staging.rows} SELECT ${file}, line, fault_column, fault_reason, cells FROM ${rows.table}
${settingsClause(SOURCE_FILE_SETTINGS)} ${rows.format}`;
    await engine.execute(plainStatement(text), { ...execution, body: rows.body });
  } finally {
    await rm(path, { force: true });
    await rm(`${path}.part`, { force: true });
  }
}

function insertParquetRowsSql({ table, staging, file }: NumberedRows): string {
  const cells = table.cellColumns.map((name) => table.columns.get(name) ?? "''").join(', ');
  const settings = [
    ...table.settings,
    'max_threads = 1',
    'input_format_parquet_preserve_order = 1',
  ];
  return `INSERT INTO ${staging.rows} SELECT ${file}, rowNumberInAllBlocks() + 1, '', '', [${cells}] FROM ${table.table}
${settingsClause(settings)} ${table.format}`;
}

/** Stages those numbered rows that are valid. */
export async function stageNumberedRows(
  engine: Engine,
  numbered: NumberedRows,
  options: StageOptions,
  execution: ExecuteOptions,
): Promise<void> {
  const { into, expressions } = insertion(numbered.staging, cellTexts(numbered), options);
  const text = `INSERT INTO ${into}
SELECT ${expressions} FROM (${validRowsSql(numbered)}) ${settingsClause(INSERT_SETTINGS)}`;
  await engine.execute(plainStatement(text), execution);
}
