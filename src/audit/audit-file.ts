/** The file of the audit log, which another program may rotate at any time. */

import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

/** Only their owner reads the lines. */
const MODE = 0o600;

const OTHERS = 0o077;

/** Milliseconds between two looks whether the file was renamed or removed. */
const ROTATION_CHECK = 1000;

const LINE_BREAK = 0x0a;

interface OpenFile {
  readonly handle: FileHandle;
  readonly inode: number;
}

/** Appends texts. If the file was renamed or removed, the next text goes to a new one of the same name. */
export class AuditFile {
  readonly #path: string;
  #file: OpenFile | undefined;
  #checkedAt = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Opens the file, which is created if necessary. */
  async open(): Promise<void> {
    this.#file ??= await openPrivate(this.#path);
  }

  /** One text at a time: wait for the one before. A text consists of whole lines. */
  async append(text: string): Promise<void> {
    await this.#reopenIfRotated();
    await this.open();
    try {
      await this.#file?.handle.appendFile(text);
    } catch (error) {
      // Part of a line may have been written; the next opening ends it.
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

/** Closes the file to other users, and ends a line that a killed process has left incomplete. */
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
