/** Keeps some of a disk free, whoever else writes to it. */

import { statfs } from 'node:fs/promises';

/** The disk has no space for a temporary file. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
}

/** What is left free: a gigabyte, or a tenth of a disk that is smaller than ten. */
const MOST_KEPT = 1024 ** 3;
const PART_KEPT = 0.1;

/** Milliseconds between two looks at a disk that is written to. */
const LOOK_INTERVAL = 100;

/** Throws NoRoom where no more than so many bytes of the disk are free; `kept` is for small tests of large disks. */
export async function requireDiskSpace(directory: string, kept?: number): Promise<void> {
  // A disk that does not tell is known to be full only by what fails.
  const disk = await statfs(directory).catch(() => undefined);
  if (disk === undefined) return;
  const { bavail, blocks, bsize } = disk;
  const least = kept ?? Math.min(MOST_KEPT, blocks * bsize * PART_KEPT);
  if (bavail * bsize < least) throw new DiskFull('The disk for answers is as good as full.');
}

/** Looks at a disk before and while something is written there; stops it with NoRoom where it gets full. */
export async function whileDiskSpace(
  { directory, kept, signal }: { directory: string; kept: number | undefined; signal: AbortSignal },
  write: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  await requireDiskSpace(directory, kept);
  // A signal made of others may be collected while somebody waits for it.
  const stopping = new AbortController();
  const stop = () => stopping.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const look = () => void requireDiskSpace(directory, kept).catch((error) => stopping.abort(error));
  const looks = setInterval(look, LOOK_INTERVAL);
  try {
    await write(stopping.signal);
  } catch (error) {
    stopping.signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    clearInterval(looks);
  }
}

/** Whether the operating system refused to write because the disk or the quota is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
