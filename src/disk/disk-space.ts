/** Keeps a reserve of the disk free while temporary files are written. */

import { createWriteStream } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The disk has no space for a temporary file. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
}

/** The reserve: a gigabyte, or a tenth of a disk below ten gigabytes. */
const MAX_RESERVE = 1024 ** 3;
const RESERVED_PART = 0.1;

/** Milliseconds between two checks while a file is written. */
const CHECK_INTERVAL = 100;

/** Throws DiskFull if less than the reserve is free. `reserve` is in bytes. */
export async function requireDiskSpace(directory: string, reserve?: number): Promise<void> {
  if (await isAlmostFull(directory, reserve)) {
    throw new DiskFull('The disk for temporary files is almost full.');
  }
}

async function isAlmostFull(directory: string, reserve?: number): Promise<boolean> {
  // If the file system does not report its free space, only a failed write shows that the disk is full.
  const disk = await statfs(directory).catch(() => undefined);
  if (disk === undefined) return false;
  const { bavail, blocks, bsize } = disk;
  return bavail * bsize < (reserve ?? Math.min(MAX_RESERVE, blocks * bsize * RESERVED_PART));
}

export interface GuardedWrite {
  /** A check such as `requireDiskSpace`: throws if the write must not begin or go on. */
  readonly requireSpace: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Checks the disk before and during a write. Aborts the write with the error of the check, such as DiskFull. */
export async function guardDiskSpace(
  { requireSpace, signal }: GuardedWrite,
  write: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  await requireSpace();
  // Not AbortSignal.any(): its signal may be garbage-collected while only a listener refers to it.
  const stopping = new AbortController();
  const stop = () => stopping.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let checking: Promise<void> | undefined;
  const check = () => {
    checking ??= requireSpace()
      .catch((error) => stopping.abort(error))
      .finally(() => {
        checking = undefined;
      });
  };
  const checks = setInterval(check, CHECK_INTERVAL);
  try {
    await write(stopping.signal);
  } catch (error) {
    stopping.signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    clearInterval(checks);
    // A late check would measure a file that the caller has removed.
    await checking;
  }
}

interface GuardedFile {
  readonly signal: AbortSignal;
  /** The message of the DiskFull that is thrown if the disk is full. */
  readonly whenFull: string;
  /** Bytes of the disk that stay free. */
  readonly reserve?: number | undefined;
}

/** Writes a new file that only this user can read. Throws DiskFull before the disk is full. */
export async function writeGuardedFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
  { signal, reserve, whenFull }: GuardedFile,
): Promise<void> {
  const requireSpace = async () => await requireDiskSpace(dirname(path), reserve);
  const write = async (stopping: AbortSignal) =>
    await pipeline(content, createWriteStream(path, { mode: 0o600 }), { signal: stopping });
  await guardDiskSpace({ requireSpace, signal }, write).catch((cause: unknown) => {
    // After an abort, throw the reason of the signal instead of the pipeline's error.
    signal.throwIfAborted();
    const isFull = cause instanceof DiskFull || isDiskFull(cause);
    throw isFull ? new DiskFull(whenFull, { cause }) : cause;
  });
}

/** Whether the operating system refused to write because the disk or the quota is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

/** A text such as "The disk of /var/lib/transactions is full (3 MB free)": a write may need more than is free. */
export async function diskSpaceText(
  directory: string,
  state: 'full' | 'almost full',
): Promise<string> {
  const disk = await statfs(directory).catch(() => undefined);
  const megabytes = disk && Math.floor((disk.bavail * disk.bsize) / 1_000_000);
  return `The disk of ${directory} is ${state}${megabytes === undefined ? '' : ` (${megabytes} MB free)`}`;
}

/** A text for a disk that is almost full. Undefined while more than the reserve is free. */
export const almostFullDiskText = async (directory: string): Promise<string | undefined> =>
  (await isAlmostFull(directory)) ? await diskSpaceText(directory, 'almost full') : undefined;

/** Awaits a write into a directory. Throws DiskFull, which names the directory, if its disk is full. */
export async function withDiskFullError<Result>(
  directory: string,
  writing: Promise<Result>,
): Promise<Result> {
  try {
    return await writing;
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
    throw new DiskFull(`${await diskSpaceText(directory, 'full')}. Make room on it.`, { cause });
  }
}
