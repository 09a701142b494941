/** A file that grows under the name `….part`, with a note of how far it is complete beside it. */

import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CannotResume } from '../errors.ts';
import { PartLock, whenAbsent } from './part-lock.ts';

/** What is known of a part: as much of it as was whole when it was noted. */
interface Note {
  readonly version: 1;
  /** What was asked, and where. */
  readonly question: string;
  readonly bytes: number;
  /** SHA-256 of these bytes. */
  readonly sha256: string;
  /** Where the next page begins; null after the last one. */
  readonly cursor: string | null;
}

export class PartFile {
  readonly #path: string;
  readonly #question: string;
  readonly #file: FileHandle;
  readonly #lock: PartLock;
  #hash = createHash('sha256');
  #bytes = 0;
  #cursor: string | null | undefined;

  private constructor(path: string, question: string, file: FileHandle, lock: PartLock) {
    this.#path = path;
    this.#question = question;
    this.#file = file;
    this.#lock = lock;
  }

  /**
   * Goes on with a part of the same question where there is one; throws a CannotResume, or a
   * FileInUse while another download writes it.
   */
  static async open(
    target: string | URL,
    question: string,
    { restart }: { readonly restart: boolean },
  ): Promise<PartFile> {
    const path = typeof target === 'string' ? target : fileURLToPath(target);
    const lock = await PartLock.take(`${path}.part.lock`);
    try {
      const note = restart ? undefined : await readNote(path);
      const kept =
        note === undefined ? undefined : await open(`${path}.part`, 'r+').catch(whenAbsent);
      const file = kept ?? (await open(`${path}.part`, 'w+'));
      const part = new PartFile(path, question, file, lock);
      await part.#begin(kept && note);
      return part;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Where to go on; undefined: at the beginning. */
  get cursor(): string | undefined {
    return this.#cursor ?? undefined;
  }

  get isComplete(): boolean {
    return this.#cursor === null;
  }

  async append(bytes: Uint8Array): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      const rest = bytes.subarray(written);
      written += (await this.#file.write(rest, 0, rest.length, this.#bytes + written)).bytesWritten;
    }
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
  }

  /** From now on, what was appended so far is not asked for again. */
  async note(cursor: string | undefined): Promise<void> {
    await this.#lock.confirm();
    // In this order, so that a note never promises bytes that a power cut took.
    await this.#file.datasync();
    this.#cursor = cursor ?? null;
    const note: Note = {
      version: 1,
      question: this.#question,
      bytes: this.#bytes,
      sha256: this.#hash.copy().digest('hex'),
      cursor: this.#cursor,
    };
    const path = `${this.#path}.part.json`;
    await writeFile(`${path}.new`, `${JSON.stringify(note)}\n`, { flush: true });
    await rename(`${path}.new`, path);
  }

  async clear(): Promise<void> {
    await this.#file.truncate(0);
    this.#bytes = 0;
    this.#hash = createHash('sha256');
  }

  /** Gives the file its name; returns its length in bytes. */
  async finish(): Promise<number> {
    await this.#lock.confirm();
    await this.#file.datasync();
    await rename(`${this.#path}.part`, this.#path);
    await rm(`${this.#path}.part.json`, { force: true });
    return this.#bytes;
  }

  async close(): Promise<void> {
    try {
      await this.#file.close();
    } finally {
      await this.#lock.release();
    }
  }

  async #begin(note: Note | undefined): Promise<void> {
    try {
      if (note === undefined) await rm(`${this.#path}.part.json`, { force: true });
      else await this.#resume(note);
    } catch (error) {
      await this.#file.close();
      throw error;
    }
  }

  async #resume(note: Note): Promise<void> {
    if (note.question !== this.#question) throw this.refusal('is of another question');
    const chunks = this.#file.createReadStream({ autoClose: false, start: 0, end: note.bytes - 1 });
    if (note.bytes > 0) for await (const chunk of chunks) this.#count(chunk);
    if (this.#bytes !== note.bytes || this.#hash.copy().digest('hex') !== note.sha256) {
      throw this.refusal('was changed since');
    }
    // Of a page that was not noted yet.
    await this.#file.truncate(note.bytes);
    this.#cursor = note.cursor;
  }

  #count(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  }

  /** Why it cannot be gone on with, and what to do. */
  refusal(what: string, options?: ErrorOptions): CannotResume {
    return new CannotResume(
      `${this.#path}.part ${what}: remove it, or download with the option restart.`,
      options,
    );
  }
}

async function readNote(path: string): Promise<Note | undefined> {
  const text = await readFile(`${path}.part.json`, 'utf8').catch(whenAbsent);
  if (text === undefined) return undefined;
  const note = parsed(text);
  if (isNote(note)) return note;
  throw new CannotResume(
    `${path}.part.json is no note of this client: remove it, or download with the option restart.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isNote = (note: unknown): note is Note =>
  typeof note === 'object' &&
  note !== null &&
  'version' in note &&
  note.version === 1 &&
  'question' in note &&
  'bytes' in note &&
  Number.isSafeInteger(note.bytes) &&
  'sha256' in note &&
  'cursor' in note &&
  (note.cursor === null || typeof note.cursor === 'string');
