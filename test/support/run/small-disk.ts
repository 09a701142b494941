/** Mounts a small file system in memory, which a test fills. It needs the right to mount. */

import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Undefined where mounting is not allowed. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const path = await mkdtemp(join(tmpdir(), 'transactions-small-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', path]);
  } catch {
    await rm(path, { recursive: true });
    return undefined;
  }
  return new SmallDisk(path);
}

export class SmallDisk {
  readonly path: string;
  readonly #filler: string;

  constructor(path: string) {
    this.path = path;
    this.#filler = join(path, 'filler');
    // A mount outlives the process that has made it.
    process.once('exit', () => this.#unmountAtExit());
  }

  /** Fills the disk except for `left` megabytes. */
  async fill(left = 0): Promise<void> {
    await this.empty();
    const { bavail, bsize } = await statfs(this.path);
    const bytes = Math.max(0, bavail * bsize - left * 1_000_000);
    await writeFile(this.#filler, Buffer.alloc(bytes)).catch(ignoreFull);
  }

  async empty(): Promise<void> {
    await rm(this.#filler, { force: true });
  }

  async unmount(): Promise<void> {
    await run('umount', ['-l', this.path]);
    await rm(this.path, { recursive: true });
  }

  #unmountAtExit(): void {
    try {
      execFileSync('umount', ['-l', this.path], { stdio: 'ignore' });
    } catch {
      // It is unmounted already.
    }
  }
}

function ignoreFull(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return;
  throw error;
}
