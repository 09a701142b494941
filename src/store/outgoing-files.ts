/**
 * Files that are made whole before they are sent, as formats with a footer need it.
 *
 * Each has a name for only as long as it is made: once it is open, the disk has it back when it is
 * closed, however the process ends.
 */

import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineFailure } from './engine.ts';

/** There is no room for the file. */
export class NoRoom extends EngineFailure {
  override get isPassing(): boolean {
    return false;
  }
}

export interface OutgoingFile {
  readonly handle: FileHandle;
  /** Bytes. */
  readonly size: number;
}

const PREFIX = 'transactions-outgoing-';

export class OutgoingFiles {
  readonly #place: string | undefined;
  #directory: Promise<string> | undefined;

  /** Keeps the files in a directory of their own; in one among the system’s temporary ones where none is given. */
  constructor(place: string | undefined) {
    this.#place = place;
  }

  /** Removes what a process that was killed has left behind. */
  async clear(): Promise<void> {
    const left = this.#place === undefined ? await ofDeadProcesses() : [this.#place];
    await Promise.all(
      left.map((path) => rm(path, { recursive: true, force: true }).catch(noMatter)),
    );
  }

  /** What was written at a path, open and without a name; whoever asked closes it. */
  async make(write: (path: string) => Promise<void>): Promise<OutgoingFile> {
    this.#directory ??= this.#open();
    const path = join(await this.#directory, randomUUID());
    try {
      await write(path);
      const handle = await open(path);
      return { handle, size: (await handle.stat()).size };
    } catch (error) {
      throw isFull(error) ? new NoRoom('No room for a file.', { cause: error }) : error;
    } finally {
      await rm(path, { force: true });
    }
  }

  async close(): Promise<void> {
    const directory = await this.#directory?.catch(noMatter);
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  }

  async #open(): Promise<string> {
    if (this.#place === undefined) return await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
    await mkdir(this.#place, { recursive: true, mode: 0o700 });
    return this.#place;
  }
}

const noMatter = (): undefined => undefined;

async function ofDeadProcesses(): Promise<readonly string[]> {
  const names = await readdir(tmpdir()).catch(() => []);
  return names.flatMap((name) => {
    const maker = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : 0;
    return maker > 0 && !isAlive(maker) ? [join(tmpdir(), name)] : [];
  });
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The engine's numbers for a disk that takes no more: it cannot write, it has not enough space. */
const FULL = new Set([75, 243]);

function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) return true;
  return (
    error instanceof EngineFailure &&
    (FULL.has(error.number ?? 0) || error.message.includes('No space left on device'))
  );
}
