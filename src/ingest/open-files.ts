/** Makes files ready to be read by the engine, and refuses those that are none of transactions. */

import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type FileTable, fileTable } from './file-table.ts';
import type { ImportRequest, ImportSurroundings } from './import-request.ts';
import { checkColumns } from './known-columns.ts';
import { type SourceFile, sourceFile } from './source-file.ts';
import type { Staging } from './staging.ts';

export interface OpenedFile {
  readonly source: SourceFile;
  readonly table: FileTable;
}

/**
 * Opens all files.
 *
 * Each gets a link with a plain name: the engine takes stars and braces in a path for a pattern.
 */
export async function openFiles(
  { files, type }: ImportRequest,
  { engine, workDirectory }: ImportSurroundings,
  staging: Staging,
): Promise<readonly OpenedFile[]> {
  const opened: OpenedFile[] = [];
  for (const [at, { path, name }] of files.entries()) {
    const link = join(workDirectory, `${at}`);
    await symlink(resolve(path), link);
    const source = await sourceFile(link, name);
    const table = await fileTable(engine, staging, source);
    if (source.form.format !== 'ndjson') checkColumns(name, table.names, type !== undefined);
    opened.push({ source, table });
  }
  return opened;
}
