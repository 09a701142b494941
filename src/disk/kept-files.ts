/**
 * Cache of finished temporary files: clients read them in parts, or resume a download, for some minutes.
 *
 * A kept file counts towards the disk quota of its client. It is closed earlier if another file needs its
 * space, or if too many files are kept.
 */

import type { ExportFile } from './export-files.ts';

/** Milliseconds for which a file is kept after its last read. */
export const KEPT_FOR = 5 * 60_000;

/** The maximum numbers of files that are kept for one owner and in total. Each is an open file of the process. */
const MAX_OF_OWNER = 16;
const MAX_FILES = 128;

/** Which file it is, and for whom it is kept. */
export interface FileKey {
  readonly owner: string;
  readonly name: string;
}

export interface KeptFile<Facts> {
  readonly file: ExportFile;
  readonly facts: Facts;
  /** Whether it has been superseded for so long that only a reader who names it should get it. */
  readonly isOutdated: boolean;
}

interface Entry<Facts> extends KeptFile<Facts> {
  readonly key: FileKey;
  isOutdated: boolean;
  /** Marks the file as outdated; undefined unless it is superseded. */
  outdating: NodeJS.Timeout | undefined;
  readers: number;
  /** How often it was read. */
  reads: number;
  timer: NodeJS.Timeout | undefined;
}

export class KeptFiles<Facts> {
  /** The files that were read last are at the end. */
  readonly #entries = new Set<Entry<Facts>>();
  readonly #keptFor: number;

  /** `keptFor` is in milliseconds after the last read. */
  constructor(keptFor: number) {
    this.#keptFor = keptFor;
  }

  /** The files of a key: several if the rows have changed meanwhile. */
  filesOf({ owner, name }: FileKey): readonly KeptFile<Facts>[] {
    return [...this.#entries].filter(({ key }) => key.owner === owner && key.name === name);
  }

  /** Begins to keep a file, and reads it at once. */
  async keep<Result>(
    key: FileKey,
    file: ExportFile,
    facts: Facts,
    read: (kept: KeptFile<Facts>) => Promise<Result>,
  ): Promise<Result> {
    const entry: Entry<Facts> = {
      key,
      file,
      facts,
      isOutdated: false,
      outdating: undefined,
      readers: 0,
      reads: 0,
      timer: undefined,
    };
    this.#entries.add(entry);
    return await this.read(entry, read);
  }

  /** Keeps a file open while it is read. */
  async read<Result>(
    kept: KeptFile<Facts>,
    read: (kept: KeptFile<Facts>) => Promise<Result>,
  ): Promise<Result> {
    const entry = this.#entries.values().find((one) => one === kept);
    if (entry === undefined) throw new Error('The file is not kept any more.');
    clearTimeout(entry.timer);
    entry.file.closeForSpace = undefined;
    entry.readers += 1;
    entry.reads += 1;
    try {
      return await read(entry);
    } finally {
      entry.readers -= 1;
      await this.#keepIdleOrClose(entry);
    }
  }

  /** Call it when there are newer contents. The file is outdated some minutes later, however often it is read. */
  supersede(kept: KeptFile<Facts>): void {
    const entry = this.#entries.values().find((one) => one === kept);
    if (entry === undefined) return;
    entry.outdating ??= setTimeout(() => {
      entry.isOutdated = true;
    }, this.#keptFor).unref();
  }

  /** Call it during a read. If it is the first one of the file, the file is closed afterwards and not kept. */
  forgetUnlessShared(kept: KeptFile<Facts>): void {
    const entry = this.#entries.values().find((one) => one === kept);
    if (entry?.reads === 1) this.#entries.delete(entry);
  }

  /** Forgets and closes all files. Those that are being read are closed afterwards. */
  async clear(): Promise<void> {
    const entries = [...this.#entries];
    this.#entries.clear();
    await Promise.all(entries.map(async (entry) => await this.#keepIdleOrClose(entry)));
  }

  /** Begins to wait for the next reader, or closes a file that was forgotten. Does nothing while the file is read. */
  async #keepIdleOrClose(entry: Entry<Facts>): Promise<void> {
    if (entry.readers > 0) return;
    if (!this.#entries.delete(entry)) return await closeEntry(entry);
    this.#entries.add(entry);
    const close = async () => {
      if (this.#entries.delete(entry)) await closeEntry(entry);
    };
    entry.file.closeForSpace = close;
    entry.timer = setTimeout(() => void close(), this.#keptFor).unref();
    await this.#closeExcess(entry.key.owner);
  }

  async #closeExcess(owner: string): Promise<void> {
    const idle = [...this.#entries].filter(({ readers }) => readers === 0);
    const own = idle.filter(({ key }) => key.owner === owner);
    const excess = [...own.slice(0, -MAX_OF_OWNER), ...idle.slice(0, -MAX_FILES)];
    for (const { file } of new Set(excess)) await file.closeForSpace?.();
  }
}

async function closeEntry({ file, timer, outdating }: Entry<unknown>): Promise<void> {
  clearTimeout(timer);
  clearTimeout(outdating);
  file.closeForSpace = undefined;
  await file.close();
}
