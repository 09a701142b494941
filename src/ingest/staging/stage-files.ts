/** Two ways to bring the rows of files into the staging tables, checked: the fast one and the exact one. */

import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine, Watch } from '../../engine/engine.ts';
import { EngineFailure } from '../../engine/engine.ts';
import { command } from '../../plan/sql.ts';
import type { CheckOptions } from '../checks/check.ts';
import { checksOf } from '../checks/checks.ts';
import { goodRows, type KeptRows } from '../checks/faulty-rows.ts';
import { normalisedColumns } from '../checks/text-columns.ts';
import { storedValues, type ValueOptions } from '../checks/values.ts';
import { unreadable } from '../files/file-content.ts';
import { isEndWhole } from '../files/file-end.ts';
import { placeOf } from '../files/file-table.ts';
import { codeChecks, codeColumns, mappedColumns } from '../files/mapping.ts';
import { writeNumberedRows } from '../files/numbered-rows.ts';
import type { OpenedFile } from '../files/open-files.ts';
import type { Staging } from './staging.ts';

export type StageOptions = CheckOptions & ValueOptions;

/**
 * Blocks small enough to keep memory flat, all tables filled side by side, and every version kept,
 * so that conflicts within the files are seen.
 */
const INSERT_SETTINGS = [
  'max_insert_threads = 1',
  'parallel_view_processing = 1',
  'min_insert_block_size_rows = 65536',
  'min_insert_block_size_bytes = 0',
  'max_partitions_per_insert_block = 0',
  'optimize_on_insert = 0',
  'materialized_views_ignore_errors = 0',
];

/** A row that is kept with its line, as it is written in between. */
const KEPT_ROW = [
  'line UInt64',
  'fault_column String',
  'fault_reason String',
  'cells Array(String)',
];

const settingsClause = (settings: readonly string[]): string =>
  settings.length === 0 ? '' : `SETTINGS ${settings.join(', ')}`;

/** Stages a whole file by the engine alone; false as soon as any row of it is wrong. */
export async function stageFast(
  engine: Engine,
  staging: Staging,
  { source, table }: OpenedFile,
  options: StageOptions,
  watch: Watch,
): Promise<boolean> {
  const { mapping } = source;
  const checks = [...codeChecks(mapping), ...checksOf(options)];
  const wrong = ['doubt', ...checks.map(({ condition }) => `(${condition})`)];
  const texts = normalisedColumns(mappedColumns(table.columns, mapping), options.type);
  const fields = [...texts, ...codeColumns(table.columns, mapping)].join(', ');
  const { columns, expressions } = storedValues(options);
  const text = `INSERT INTO ${staging.transactions} (${columns})
SELECT ${expressions}
FROM (SELECT ${table.doubt} AS doubt, ${fields} FROM ${table.table})
WHERE throwIf(${wrong.join(' OR ')}) = 0
${settingsClause([...INSERT_SETTINGS, ...table.settings])} ${table.format}`;
  try {
    await engine.execute(command(text), { ...watch, body: table.body });
    return await isEndWhole(source);
  } catch (error) {
    // Whatever is wrong with the file, the exact way tells it better.
    if (error instanceof EngineFailure && !error.isPassing) return false;
    throw error;
  }
}

/** Keeps the rows of a file as text, with their lines. */
export async function keepRows(
  engine: Engine,
  kept: KeptRows,
  workDirectory: string,
  watch: Watch,
): Promise<void> {
  const { source, staging, file } = kept;
  if (source.form.format === 'parquet') {
    const body = kept.table.body;
    await engine.execute(command(parquetRows(kept)), { ...watch, body }).catch((cause: unknown) => {
      throw cause instanceof EngineFailure && !cause.isPassing
        ? unreadable(source.name, cause)
        : cause;
    });
    return;
  }
  const path = join(workDirectory, `${staging.id}-${file}.rows`);
  try {
    await writeNumberedRows(source, kept.table.kept, `${path}.part`, watch.signal);
    await rename(`${path}.part`, path);
    const content = { name: source.name, path, compression: 'none' } as const;
    const rows = placeOf(engine, content, 'JSONCompactEachRow', KEPT_ROW);
    const text = `INSERT INTO ${staging.rows} SELECT ${file}, line, fault_column, fault_reason, cells FROM ${rows.table} ${rows.format}`;
    await engine.execute(command(text), { ...watch, body: rows.body });
  } finally {
    await rm(path, { force: true });
    await rm(`${path}.part`, { force: true });
  }
}

function parquetRows({ table, staging, file }: KeptRows): string {
  const cells = table.kept.map((name) => table.columns.get(name) ?? "''").join(', ');
  const settings = [
    ...table.settings,
    'max_threads = 1',
    'input_format_parquet_preserve_order = 1',
  ];
  return `INSERT INTO ${staging.rows} SELECT ${file}, rowNumberInAllBlocks() + 1, '', '', [${cells}] FROM ${table.table}
${settingsClause(settings)} ${table.format}`;
}

/** Stages the good ones of the kept rows. */
export async function stageKept(
  engine: Engine,
  kept: KeptRows,
  options: StageOptions,
  watch: Watch,
): Promise<void> {
  const { columns, expressions } = storedValues(options);
  const text = `INSERT INTO ${kept.staging.transactions} (${columns})
SELECT ${expressions} FROM (${goodRows(kept)}) ${settingsClause(INSERT_SETTINGS)}`;
  await engine.execute(command(text), watch);
}
