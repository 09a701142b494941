/**
 * A directory in which other programs leave files, which are imported one after the other.
 *
 * A file is first moved to a folder that only this user can write, so that nobody can replace it
 * while it is read. It ends in the folder `imported`, or in `refused` with the reasons beside it. If the
 * process is killed during an import, the file is imported at the next start.
 */

import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import { withDiskFullError } from '../../disk/disk-space.ts';
import { UserError } from '../../user-error.ts';
import type { OnUnmoved } from './unmoved-files.ts';

/** Names of files that are still being written, by the conventions of programs that copy files. */
const UNFINISHED = /^\.|(?:\.(?:part|partial|tmp|filepart|crdownload)|~)$/i;

const TAKEN = '.importing';

/** Bytes. File systems allow 255, and the text of reasons has four more: `.txt`. */
const LONGEST_NAME = 251;

/** Bytes. A longer extension counts as part of the name, so that it can be shortened. */
const LONGEST_EXTENSION = 32;

type Folder = typeof TAKEN | 'imported' | 'refused';

export class WatchedDirectory {
  readonly #directory: string;

  /** The state of each file in the last round, to find those that have not changed since then. */
  #seen: ReadonlyMap<string, string> = new Map();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async requireReadable(): Promise<void> {
    await this.#names();
  }

  /** Takes the files that have not changed since the last call: their writers have probably ended. */
  async takeArrived(onUnmoved: OnUnmoved): Promise<void> {
    const found = new Map<string, string>();
    for (const name of await this.#names()) {
      const state = await fileState(join(this.#directory, name));
      if (state !== undefined) found.set(name, state);
    }
    const arrived = [...found].filter(([name, state]) => this.#seen.get(name) === state);
    this.#seen = found;
    for (const [name] of arrived) {
      const move = this.#move(join(this.#directory, name), TAKEN, name);
      await move.catch((error: unknown) => onUnmoved(name, error));
    }
  }

  /** The names of the files that were taken, in the order in which they arrived. */
  async taken(): Promise<readonly string[]> {
    const names = (await readdir(await this.#folder(TAKEN))).sort();
    const files = await Promise.all(
      names.map(async (name) => ({ name, moved: await changeInstant(this.pathOf(name)) })),
    );
    return files.sort((a, b) => Number(a.moved - b.moved)).map(({ name }) => name);
  }

  pathOf(name: string): string {
    return join(this.#directory, TAKEN, name);
  }

  /** A text that changes when the taken file changes. Undefined if it is not a regular file. */
  async stateOf(name: string): Promise<string | undefined> {
    return await fileState(this.pathOf(name));
  }

  async accept(name: string): Promise<void> {
    await this.#move(this.pathOf(name), 'imported', name);
  }

  /** The reasons may be coloured for a terminal. */
  async refuse(name: string, reasons: string): Promise<void> {
    await this.#move(this.pathOf(name), 'refused', name, stripVTControlCharacters(reasons));
  }

  async #names(): Promise<readonly string[]> {
    const names = await readdir(this.#directory).catch((cause: NodeJS.ErrnoException) => {
      const next =
        cause.code === 'ENOENT'
          ? `Create it: mkdir ${this.#directory}`
          : 'Name a directory that this user may read and write.';
      const message = `The directory ${this.#directory} cannot be read: ${cause.code}.`;
      throw new UserError(message, next, { cause });
    });
    return names.filter((name) => !UNFINISHED.test(name)).sort();
  }

  /** Never replaces a file: if the folder already has a file of this name, the moved file gets a number. */
  async #move(path: string, folder: Folder, name: string, reasons?: string): Promise<void> {
    const target = await this.#folder(folder);
    const free = join(target, await freeName(target, name));
    const text = `${free}.txt`;
    if (reasons !== undefined) {
      await withDiskFullError(target, writeNew(text, `${reasons}\n`));
    }
    await rename(path, free).catch(async (cause: NodeJS.ErrnoException) => {
      // Otherwise each try would leave one.
      if (reasons !== undefined) await rm(text, { force: true });
      throw new UserError(
        `${path} cannot be moved to ${target} (${cause.code}).`,
        `Let this user own ${path}, and keep both on one file system.`,
        { cause },
      );
    });
  }

  /**
   * The path of a folder, which is created if it is missing. Refuses a link or a folder of another user:
   * otherwise that user could choose where the files go.
   */
  async #folder(folder: Folder): Promise<string> {
    const path = join(this.#directory, folder);
    await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return;
      throw new UserError(
        `${path} cannot be created (${error.code}).`,
        `Give this user the right to write in ${this.#directory}.`,
        { cause: error },
      );
    });
    const found = await lstat(path);
    if (found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid())) {
      return path;
    }
    throw new UserError(
      `${path} is not a directory of this user, or it is a link.`,
      'Rename it: the import creates a new one.',
    );
  }
}

async function fileState(path: string): Promise<string | undefined> {
  const found = await lstat(path, { bigint: true }).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  return `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs}`;
}

/** Nanoseconds since 1970. A move into a folder is a change of the file, too. */
async function changeInstant(path: string): Promise<bigint> {
  return (await lstat(path, { bigint: true }).catch(() => undefined))?.ctimeNs ?? 0n;
}

/** The name, with a number if the directory already has this file or its text of reasons (`.txt`). */
async function freeName(directory: string, name: string): Promise<string> {
  const taken = new Set(await readdir(directory));
  for (let number = 1; ; number += 1) {
    const candidate = numberedName(name, number);
    if (!taken.has(candidate) && !taken.has(`${candidate}.txt`)) return candidate;
  }
}

/** The name with a number from 2 on before its extension, shortened to the longest name. */
function numberedName(name: string, number: number): string {
  const found = extname(name);
  const extension = Buffer.byteLength(found) <= LONGEST_EXTENSION ? found : '';
  const stem = name.slice(0, name.length - extension.length);
  const ending = number === 1 ? extension : `-${number}${extension}`;
  return shortened(stem, LONGEST_NAME - Buffer.byteLength(ending)) + ending;
}

/** The beginning of a text that has at most so many bytes, without a part of a character. */
const shortened = (text: string, bytes: number): string =>
  new StringDecoder('utf8').write(Buffer.from(text).subarray(0, bytes));

/** Writes a new file, and leaves none if the disk is full. */
async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
