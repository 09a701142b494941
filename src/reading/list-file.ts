/** Writes a list into a temporary file, for formats with a footer. */

import { DiskFull } from '../disk/disk-space.ts';
import type { ClientFiles, ExportFile } from '../disk/export-files.ts';
import { EngineFailure, type Reader } from '../engine/engine.ts';
import { type FilePlan, fileStatement } from '../plan/file-statement.ts';
import { RetryPolicy } from './retry.ts';

export interface ListFileDeps {
  readonly reader: Reader;
  readonly files: ClientFiles;
}

/** Starts again with a new file when the engine fails. The caller closes the file. */
export const writeListFile = async (
  plan: FilePlan,
  { reader, files }: ListFileDeps,
  signal: AbortSignal,
): Promise<ExportFile> =>
  await new RetryPolicy(signal).run(
    async () =>
      await files.write(async (path, writing) => {
        try {
          for await (const _ of reader.read(fileStatement(plan, path), writing));
        } catch (error) {
          throw asDiskFull(error);
        }
      }, signal),
  );

const asDiskFull = (error: unknown): unknown =>
  error instanceof EngineFailure && error.isDiskFull
    ? new DiskFull('The engine has no disk space for a file.', { cause: error })
    : error;
