/** The file of the audit log, which another program may rotate at any time. */

import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

/** Only the owner may read and write the file. */
const MODE = 0o600;

/** The permissions of group and others. */
const OTHERS = 0o077;

/** Milliseconds between two checks whether the file was renamed or removed. */
const ROTATION_CHECK = 1000;

const LINE_BREAK = 0x0a;

interface OpenFile {
  readonly handle: FileHandle;
  readonly inode: number;
}

/** Appends lines. At most a second after the file is renamed or removed, lines go to a new file of the same name. */
export class AuditFile {
  readonly #path: string;
  #file: OpenFile | undefined;
  #checkedAt = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Opens the file. Creates it if necessary. */
  async open(): Promise<void> {
    this.#file ??= await openPrivate(this.#path);
  }

  /** Appends whole lines, of which a part has one or more. Call it again only when the last call has ended. */
  async append(parts: readonly Buffer[]): Promise<void> {
    await this.#reopenIfRotated();
    await this.open();
    try {
      await this.#file?.handle.appendFile(parts);
    } catch (error) {
      // Part of a line may have been written; the next `open` ends that line.
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.handle.close();
  }

  async #reopenIfRotated(): Promise<void> {
    const now = performance.now();
    if (this.#file === undefined || now - this.#checkedAt < ROTATION_CHECK) return;
    this.#checkedAt = now;
    const found = await stat(this.#path).catch(() => undefined);
    if (found?.ino !== this.#file.inode) await this.close();
  }
}

/** Opens the file, removes the permissions of other users, and ends a line that a killed process left incomplete. */
async function openPrivate(path: string): Promise<OpenFile> {
  const { O_APPEND, O_CREAT, O_RDWR } = constants;
  const handle = await open(path, O_APPEND | O_CREAT | O_RDWR, MODE);
  try {
    const { mode, size, ino } = await handle.stat();
    if ((mode & OTHERS) !== 0) await handle.chmod(MODE);
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    if (size > 0 && buffer[0] !== LINE_BREAK) await handle.appendFile('\n');
    return { handle, inode: ino };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
