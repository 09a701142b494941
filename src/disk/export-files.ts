/**
 * Temporary files: exports that are written whole before they are sent, and the spools of slow readers.
 *
 * A file has a name only while it is written. Then it is unlinked and stays open, so the disk gets
 * its space back when the process ends, even by a crash.
 */

import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskFull, guardDiskSpace, isDiskFull, requireDiskSpace } from './disk-space.ts';
import { clearTemporary, temporaryPrefix } from './temporary-directories.ts';

export interface ExportFile {
  readonly file: FileHandle;
  /** Bytes. */
  readonly size: number;
}

export class ExportFiles {
  readonly #given: string | undefined;
  readonly #reserve: number | undefined;
  #directory: Promise<string> | undefined;

  /**
   * Uses the given directory for itself, or a new directory among the temporary ones of the system.
   * `reserve` is how many bytes of the disk stay free.
   */
  constructor(directory: string | undefined, reserve?: number) {
    this.#given = directory;
    this.#reserve = reserve;
  }

  /** Removes the files of killed processes. */
  async clear(): Promise<void> {
    if (this.#given === undefined) await clearTemporary('outgoing');
    else await rm(this.#given, { recursive: true, force: true }).catch(ignore);
  }

  /**
   * Lets a function write to a path, then opens and unlinks the file. The caller closes it.
   *
   * Throws DiskFull before the disk is full, and aborts the signal of the function.
   */
  async write(
    write: (path: string, signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<ExportFile> {
    const directory = await this.#opened();
    const path = join(directory, randomUUID());
    const guarded = { directory, reserve: this.#reserve, signal };
    try {
      await guardDiskSpace(guarded, async (writing) => await write(path, writing));
      const file = await open(path);
      return { file, size: (await file.stat()).size };
    } catch (error) {
      throw asDiskFull(error);
    } finally {
      await rm(path, { force: true });
    }
  }

  /** An empty file without a name. The caller closes it. */
  async create(): Promise<FileHandle> {
    const directory = await this.#opened();
    await requireDiskSpace(directory, this.#reserve);
    const path = join(directory, randomUUID());
    try {
      return await open(path, 'wx+', 0o600);
    } catch (error) {
      throw asDiskFull(error);
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Appends to a file. Throws DiskFull before the disk is full. */
  async append(file: FileHandle, bytes: Uint8Array): Promise<void> {
    await requireDiskSpace(await this.#opened(), this.#reserve);
    await file.appendFile(bytes).catch((error: unknown) => {
      throw asDiskFull(error);
    });
  }

  async close(): Promise<void> {
    const directory = await this.#directory?.catch(ignore);
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  }

  async #opened(): Promise<string> {
    this.#directory ??= this.#open().catch((error: unknown) => {
      this.#directory = undefined;
      throw asDiskFull(error);
    });
    return await this.#directory;
  }

  async #open(): Promise<string> {
    if (this.#given === undefined) return await mkdtemp(temporaryPrefix('outgoing'));
    await mkdir(this.#given, { recursive: true, mode: 0o700 });
    return this.#given;
  }
}

const ignore = (): undefined => undefined;

const asDiskFull = (error: unknown): unknown =>
  isDiskFull(error)
    ? new DiskFull('The disk has no space for a temporary file.', { cause: error })
    : error;
