/**
 * Temporary files: exports that are written whole before they are sent, and the spools of slow readers.
 *
 * An export is unlinked when it is complete, a spool as soon as it is opened. An unlinked file takes space only
 * while it is open, so the disk gets the space back when the process ends, even by a crash.
 */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskQuota, type QuotaShare } from './disk-quota.ts';
import { DiskFull, guardDiskSpace, isDiskFull, requireDiskSpace } from './disk-space.ts';
import { type ClosableFile, EvictableFiles } from './evictable-files.ts';
import { clearTemporary, temporaryPrefix } from './temporary-directories.ts';

export interface TemporaryFile {
  readonly file: FileHandle;
  readonly share: QuotaShare;
  close(): Promise<void>;
}

export interface ExportFile extends TemporaryFile, ClosableFile {
  /** Bytes. */
  readonly size: number;
}

/** The files of one client, which count towards its quota. */
export type ClientFiles = Pick<ExportFiles, 'write' | 'create' | 'append'>;

export class ExportFiles {
  readonly #given: string | undefined;
  readonly #reserve: number | undefined;
  readonly #quota: DiskQuota;
  readonly #files = new EvictableFiles();
  #directory: Promise<string> | undefined;

  /**
   * Uses the given directory for itself, or a new one in the temporary directory of the system.
   * `reserve` is how many bytes of the disk stay free, `quota` what the files of one client may take.
   */
  constructor(directory: string | undefined, reserve?: number, quota = new DiskQuota(0)) {
    this.#given = directory;
    this.#reserve = reserve;
    this.#quota = quota;
  }

  /** Removes the files of killed processes. */
  async clear(): Promise<void> {
    if (this.#given === undefined) await clearTemporary('outgoing');
    else await rm(this.#given, { recursive: true, force: true }).catch(ignore);
  }

  /**
   * The files of one client. `client` returns its key. It is called only for a new file, because the key of a token
   * with many websites takes time.
   */
  forClient(client: () => string): ClientFiles {
    return {
      write: async (write, signal) => await this.write(write, signal, client()),
      create: async () => await this.create(client()),
      append: async (file, bytes) => await this.append(file, bytes),
    };
  }

  /**
   * Lets a function write to a path, then opens and unlinks the file. The caller closes it.
   *
   * Throws DiskFull before the disk is full, and DiskQuotaExceeded if other files of the client take its whole
   * quota. Both are checked during the write too, and then abort the signal of the function.
   */
  async write(
    write: (path: string, signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
    client?: string,
  ): Promise<ExportFile> {
    const directory = await this.#opened();
    const path = join(directory, randomUUID());
    const share = this.#quota.open(client);
    const requireQuota = async () => {
      share.resize(await sizeOf(path));
      await this.#files.require(() => share.requireQuota(), client);
    };
    const requireSpace = async () => {
      await this.#requireDiskSpace(directory);
      await requireQuota();
    };
    try {
      await guardDiskSpace({ requireSpace, signal }, async (writing) => await write(path, writing));
      // A short write may have ended before it was checked.
      await requireQuota();
      return this.#exportFile(await open(path), share, await sizeOf(path), client);
    } catch (error) {
      share.release();
      throw asDiskFull(error);
    } finally {
      await rm(path, { force: true });
    }
  }

  /** An empty file without a name. The caller closes it. */
  async create(client?: string): Promise<TemporaryFile> {
    const directory = await this.#opened();
    const share = this.#quota.open(client);
    const path = join(directory, randomUUID());
    try {
      await this.#requireDiskSpace(directory);
      await this.#files.require(() => share.requireQuota(), client);
      return temporaryFile(await open(path, 'wx+', 0o600), share);
    } catch (error) {
      share.release();
      throw asDiskFull(error);
    } finally {
      await rm(path, { force: true });
    }
  }

  /**
   * Appends to a file. Throws DiskFull before the disk is full. The file may grow beyond the quota of its
   * client, which then gets no further files.
   */
  async append({ file, share }: TemporaryFile, bytes: Uint8Array): Promise<void> {
    await this.#requireDiskSpace(await this.#opened());
    try {
      await file.appendFile(bytes);
      share.resize((await file.stat()).size);
    } catch (error) {
      throw asDiskFull(error);
    }
  }

  async close(): Promise<void> {
    const directory = await this.#directory?.catch(ignore);
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  }

  #exportFile(
    file: FileHandle,
    share: QuotaShare,
    size: number,
    client: string | undefined,
  ): ExportFile {
    const { close, ...temporary } = temporaryFile(file, share);
    const made: ExportFile = {
      ...temporary,
      size,
      closeForSpace: undefined,
      close: async () => {
        this.#files.delete(made);
        await close();
      },
    };
    this.#files.add(made, client);
    return made;
  }

  async #requireDiskSpace(directory: string): Promise<void> {
    await this.#files.require(async () => await requireDiskSpace(directory, this.#reserve));
  }

  async #opened(): Promise<string> {
    const opened = this.#directory;
    // A cleaner of temporary files, such as systemd-tmpfiles, may have removed the empty directory.
    const isGone = opened !== undefined && !existsSync(await opened);
    if (isGone && this.#directory === opened) this.#directory = undefined;
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

const temporaryFile = (file: FileHandle, share: QuotaShare): TemporaryFile => ({
  file,
  share,
  async close() {
    share.release();
    await file.close();
  },
});

/** Bytes; 0 if there is no file yet. */
const sizeOf = async (path: string): Promise<number> =>
  (await stat(path).catch(() => undefined))?.size ?? 0;

const ignore = (): undefined => undefined;

const asDiskFull = (error: unknown): unknown =>
  isDiskFull(error)
    ? new DiskFull('The disk has no space for a temporary file.', { cause: error })
    : error;
