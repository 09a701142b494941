/** Partial file `….part` with a checkpoint file beside it, for downloads that resume. */

import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CannotResume } from '../errors.ts';
import { PartLock, undefinedIfMissing } from './part-lock.ts';

/** The content of `….part.json`: how much of the partial file is complete. */
interface Checkpoint {
  readonly version: 1;
  /** The key of the request, see `Connection.keyOf`. */
  readonly question: string;
  readonly bytes: number;
  /** SHA-256 of these bytes, in hex. */
  readonly sha256: string;
  /** The cursor of the next page; null after the last one. */
  readonly cursor: string | null;
}

/** The files hold IP addresses and click ids. */
const OWNER_ONLY = 0o600;

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
   * Opens a partial file of the same request, or a new one. Throws a CannotResume for a partial file
   * of another request, and a FileInUse while another download writes the file.
   */
  static async open(
    target: string | URL,
    question: string,
    { restart }: { readonly restart: boolean },
  ): Promise<PartFile> {
    const path = typeof target === 'string' ? target : fileURLToPath(target);
    const lock = await PartLock.acquire(`${path}.part.lock`);
    try {
      const checkpoint = restart ? undefined : await readCheckpoint(path);
      const kept = checkpoint && (await open(`${path}.part`, 'r+').catch(undefinedIfMissing));
      const file = kept ?? (await open(`${path}.part`, 'w+', OWNER_ONLY));
      const part = new PartFile(path, question, file, lock);
      await part.#start(kept && checkpoint);
      return part;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The cursor of the next page; undefined for the first page, and after the last one. */
  get cursor(): string | undefined {
    return this.#cursor ?? undefined;
  }

  get isComplete(): boolean {
    return this.#cursor === null;
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.#lock.assertRenewed();
    for (let written = 0; written < bytes.length; ) {
      const rest = bytes.subarray(written);
      written += (await this.#file.write(rest, 0, rest.length, this.#bytes + written)).bytesWritten;
    }
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
  }

  /** Saves a checkpoint: a later download resumes after the bytes appended so far. */
  async saveCheckpoint(cursor: string | undefined): Promise<void> {
    await this.#lock.assertHeld();
    // Data first, so that after a power cut no checkpoint counts bytes that are lost.
    await this.#file.datasync();
    this.#cursor = cursor ?? null;
    const checkpoint: Checkpoint = {
      version: 1,
      question: this.#question,
      bytes: this.#bytes,
      sha256: this.#hash.copy().digest('hex'),
      cursor: this.#cursor,
    };
    const path = `${this.#path}.part.json`;
    await writeFile(`${path}.new`, `${JSON.stringify(checkpoint)}\n`, {
      flush: true,
      mode: OWNER_ONLY,
    });
    await rename(`${path}.new`, path);
  }

  async clear(): Promise<void> {
    await this.#lock.assertRenewed();
    await this.#file.truncate(0);
    this.#bytes = 0;
    this.#hash = createHash('sha256');
  }

  /** Renames the complete file to its final name. Returns its length in bytes. */
  async finish(): Promise<number> {
    await this.#lock.assertHeld();
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

  async #start(checkpoint: Checkpoint | undefined): Promise<void> {
    try {
      if (checkpoint === undefined) await rm(`${this.#path}.part.json`, { force: true });
      else await this.#resume(checkpoint);
    } catch (error) {
      await this.#file.close();
      throw error;
    }
  }

  async #resume(checkpoint: Checkpoint): Promise<void> {
    const { question, bytes, sha256, cursor } = checkpoint;
    if (question !== this.#question) throw this.cannotResume('it belongs to another query');
    if (bytes > 0) {
      const chunks = this.#file.createReadStream({ autoClose: false, start: 0, end: bytes - 1 });
      for await (const chunk of chunks) this.#count(chunk);
    }
    if (this.#bytes !== bytes || this.#hash.copy().digest('hex') !== sha256) {
      throw this.cannotResume('it has changed');
    }
    // Drops the beginning of a page that has no checkpoint yet.
    await this.#file.truncate(bytes);
    this.#cursor = cursor;
  }

  #count(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  }

  /** The error for a partial file that cannot be resumed, with the reason and the remedy. */
  cannotResume(reason: string, options?: ErrorOptions): CannotResume {
    return new CannotResume(
      `Cannot resume ${this.#path}.part: ${reason}. Remove the file or use the option restart.`,
      options,
    );
  }
}

async function readCheckpoint(path: string): Promise<Checkpoint | undefined> {
  const text = await readFile(`${path}.part.json`, 'utf8').catch(undefinedIfMissing);
  if (text === undefined) return undefined;
  const checkpoint = parsed(text);
  if (isCheckpoint(checkpoint)) return checkpoint;
  throw new CannotResume(
    `${path}.part.json is not a checkpoint of this client. Remove the file or use the option restart.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isCheckpoint = (value: unknown): value is Checkpoint =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  value.version === 1 &&
  'question' in value &&
  'bytes' in value &&
  Number.isSafeInteger(value.bytes) &&
  'sha256' in value &&
  'cursor' in value &&
  (value.cursor === null || typeof value.cursor === 'string');
