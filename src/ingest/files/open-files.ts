/** Prepares files for the engine, and refuses those with unknown or missing columns. */

import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeGuardedFile } from '../../disk/disk-space.ts';
import { NEVER_ABORTED } from '../../engine/never-aborted.ts';
import { detectDialect } from '../dialect/detect-dialect.ts';
import type { ImportDeps } from '../import-request.ts';
import { detectFileFormat } from './detect-file-format.ts';
import { blocksOf } from './file-content.ts';
import { withLineFeed } from './file-end.ts';
import { type FileTable, fileTable, withoutNumbers } from './file-table.ts';
import type { ImportFile } from './import-file.ts';
import { unseenColumns } from './json/unseen-columns.ts';
import { COLUMNS_OF, checkColumns, type ExpectedRows } from './known-columns.ts';
import { checkMapped, usedColumns } from './mapping.ts';
import { hasDecimalCommas, type SourceFile } from './source-file.ts';
import { type CopyOptions, utf8Copy } from './utf8-copy.ts';

export interface OpenedFile {
  readonly source: SourceFile;
  readonly table: FileTable;
}

/**
 * Opens all files.
 *
 * Each file gets a symbolic link with a plain name, as the engine treats `*` and `{}` in paths as patterns.
 */
export async function openFiles(
  files: readonly ImportFile[],
  rows: ExpectedRows,
  { nodes, workDirectory, signal }: Pick<ImportDeps, 'nodes' | 'workDirectory' | 'signal'>,
): Promise<readonly OpenedFile[]> {
  const opened: OpenedFile[] = [];
  for (const [at, { path, name, mapping, key, dialect: stated = {} }] of files.entries()) {
    const link = join(workDirectory, `${at}`);
    await symlink(resolve(path), link);
    const expected = mapping ? usedColumns(mapping) : COLUMNS_OF[rows.rows];
    const found = await detectFileFormat(link, name, { expected, ...stated });
    const options = { signal, stated: stated.encoding };
    const copy = await utf8Copy({ ...found, mapping, key }, `${link}.utf8`, options);
    const source = await unpacked(copy, `${link}.unpacked`, { signal });
    const read = nodes.engine.opensFiles
      ? await withLineFeed(source, `${link}.copy`, { signal })
      : source;
    const table = await fileTable(nodes.engine, read, COLUMNS_OF[rows.rows]);
    const isJson = source.form.format === 'ndjson';
    if (!isJson) checkNames(source, table.names, rows);
    const unseen = isJson && mapping ? await unseenColumns(source, mapping) : [];
    const dialect = await detectDialect(source, stated, table.cellColumns);
    const written = { ...source, unseen, dialect: { ...dialect, typed: table.typed } };
    const mayMislead = isJson && hasDecimalCommas(written);
    opened.push({ source: written, table: mayMislead ? withoutNumbers(table) : table });
  }
  return opened;
}

function checkNames(
  { name, mapping }: SourceFile,
  columns: readonly string[],
  expected: ExpectedRows,
): void {
  if (mapping === undefined) checkColumns(name, columns, expected);
  else checkMapped(name, columns, mapping);
}

/** Decompresses a Parquet file, because it is read from its end. */
export async function unpacked(
  source: SourceFile,
  path: string,
  { signal = NEVER_ABORTED, reserve }: Omit<CopyOptions, 'stated'>,
): Promise<SourceFile> {
  if (source.form.format !== 'parquet' || source.compression === 'none') return source;
  const whenFull = `${source.name}: the disk has no space for its decompressed content. Free some, then import the file again.`;
  await writeGuardedFile(path, blocksOf(source), { signal, reserve, whenFull });
  return { ...source, path, compression: 'none' };
}
