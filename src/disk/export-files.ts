/**
 * Files of answers on the disk: those that are made whole before they are sent, as formats with a
 * footer need it, and those of what waits for its reader.
 *
 * Each has a name for only as long as it is made: once it is open, the disk has it back when it is
 * closed, however the process ends.
 */

import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskFull, isDiskFull, requireDiskSpace, whileDiskSpace } from './disk-space.ts';
import { clearTemporary, ownTemporary } from './temporary-directories.ts';

export interface ExportFile {
  readonly file: FileHandle;
  /** Bytes. */
  readonly size: number;
}

export class ExportFiles {
  readonly #place: string | undefined;
  readonly #keptFree: number | undefined;
  #directory: Promise<string> | undefined;

  /**
   * Keeps the files in a directory of their own; in one among the system’s temporary ones where none
   * is given. Bytes of its disk that are to stay free can be given too.
   */
  constructor(place: string | undefined, keptFree?: number) {
    this.#place = place;
    this.#keptFree = keptFree;
  }

  /** Removes what a process that was killed has left behind. */
  async clear(): Promise<void> {
    if (this.#place === undefined) await clearTemporary('outgoing');
    else await rm(this.#place, { recursive: true, force: true }).catch(noMatter);
  }

  /**
   * What was written at a path, open and without a name; whoever asked closes it.
   *
   * Throws NoRoom before the disk is full, and stops what writes by the signal that it was given.
   */
  async make(
    write: (path: string, signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<ExportFile> {
    const directory = await this.#opened();
    const path = join(directory, randomUUID());
    const disk = { directory, kept: this.#keptFree, signal };
    try {
      await whileDiskSpace(disk, async (whole) => await write(path, whole));
      const file = await open(path);
      return { file, size: (await file.stat()).size };
    } catch (error) {
      throw asNoRoom(error);
    } finally {
      await rm(path, { force: true });
    }
  }

  /** An empty file without a name, to be written and read; whoever asked closes it. */
  async empty(): Promise<FileHandle> {
    const directory = await this.#opened();
    await requireDiskSpace(directory, this.#keptFree);
    const path = join(directory, randomUUID());
    try {
      return await open(path, 'wx+', 0o600);
    } catch (error) {
      throw asNoRoom(error);
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Writes at a file's end; throws NoRoom before the disk is full. */
  async append(file: FileHandle, bytes: Uint8Array): Promise<void> {
    await requireDiskSpace(await this.#opened(), this.#keptFree);
    await file.appendFile(bytes).catch((error: unknown) => {
      throw asNoRoom(error);
    });
  }

  async close(): Promise<void> {
    const directory = await this.#directory?.catch(noMatter);
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  }

  async #opened(): Promise<string> {
    this.#directory ??= this.#open().catch((error: unknown) => {
      this.#directory = undefined;
      throw asNoRoom(error);
    });
    return await this.#directory;
  }

  async #open(): Promise<string> {
    if (this.#place === undefined) return await mkdtemp(ownTemporary('outgoing'));
    await mkdir(this.#place, { recursive: true, mode: 0o700 });
    return this.#place;
  }
}

const noMatter = (): undefined => undefined;

const asNoRoom = (error: unknown): unknown =>
  isDiskFull(error) ? new DiskFull('No room for a file.', { cause: error }) : error;
