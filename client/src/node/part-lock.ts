/** Lock file with a lease, so that one download at a time writes a partial file. */

import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { FileInUse } from '../errors.ts';

interface Holder {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** When the process started, in seconds since 1970. A later process may have the same id, as in containers. */
  readonly started: number;
}

/** Milliseconds from the last renewal of another process's lock until the lock expires. */
const LEASE = 120_000;
/** A lock file is created empty. Its text follows within this many milliseconds. */
const WRITING = 5000;
/** Milliseconds between two renewals. */
const RENEWAL = 20_000;

/** Seconds by which the computed start of a process may change, because its clock is adjusted. */
const CLOCK_CHANGE = 5;

/** The texts of the locks that this process holds. Unlike its computed start, they do not depend on the clock. */
const HELD = new Set<string>();

export class PartLock {
  readonly #path: string;
  readonly #text: string;
  readonly #renewing: NodeJS.Timeout;
  #renewed = Date.now();

  private constructor(path: string, text: string) {
    this.#path = path;
    this.#text = text;
    this.#renewing = setInterval(async () => await this.#renew(), RENEWAL).unref();
  }

  /** Throws a FileInUse if another download holds the lock. */
  static async acquire(path: string): Promise<PartLock> {
    const holder = { id: randomUUID(), host: hostname(), pid: process.pid, started: startedAt() };
    const text = `${JSON.stringify(holder)}\n`;
    HELD.add(text);
    try {
      while (!(await isCreated(path, text))) await removeStale(path);
    } catch (error) {
      HELD.delete(text);
      throw error;
    }
    return new PartLock(path, text);
  }

  /** Throws a FileInUse if the lock was lost, for example while the machine was asleep. */
  async assertHeld(): Promise<void> {
    if ((await this.#read()) !== this.#text) throw inUse(this.#path, 'another download');
  }

  /** Like `assertHeld`, but reads the lock file only if the lock may have expired. Call it before each write. */
  async assertRenewed(): Promise<void> {
    if (Date.now() - this.#renewed < LEASE / 2) return;
    await this.assertHeld();
    await this.#renew();
  }

  async release(): Promise<void> {
    clearInterval(this.#renewing);
    try {
      if ((await this.#read()) === this.#text) await rm(this.#path, { force: true });
    } finally {
      HELD.delete(this.#text);
    }
  }

  /** Ignores errors, and the lock of another download: `assertHeld` reports a lock that was lost. */
  async #renew(): Promise<void> {
    const now = new Date();
    if ((await this.#read().catch(() => undefined)) !== this.#text) return;
    if (await isTouched(this.#path, now)) this.#renewed = now.getTime();
  }

  async #read(): Promise<string | undefined> {
    return await readFile(this.#path, 'utf8').catch(undefinedIfMissing);
  }
}

const undefinedIf =
  (code: string) =>
  (error: unknown): undefined => {
    if (isCoded(error, code)) return undefined;
    throw error;
  };

/** For `catch`: undefined for a missing file, and rethrows every other error. */
export const undefinedIfMissing = undefinedIf('ENOENT');

const undefinedIfExisting = undefinedIf('EEXIST');

const isCoded = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** False if another process has the lock, or has taken it over before this one wrote its text. */
async function isCreated(path: string, text: string): Promise<boolean> {
  const file = await open(path, 'wx').catch(undefinedIfExisting);
  if (file === undefined) return false;
  try {
    // Some file systems report a full disk only when the file is closed.
    await file.writeFile(text).finally(async () => await file.close());
  } catch (error) {
    // Without its text, the file would be taken for the lock of another process.
    await rm(path, { force: true });
    throw error;
  }
  return (await readFile(path, 'utf8').catch(undefinedIfMissing)) === text;
}

async function removeStale(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(undefinedIfMissing);
  const renewed = (await stat(path).catch(undefinedIfMissing))?.mtimeMs;
  if (text === undefined || renewed === undefined) return;
  const holder = holderOf(text);
  const age = Date.now() - renewed;
  if (HELD.has(text) || (text === '' ? age < WRITING : isHeld(holder, age))) {
    throw inUse(path, holder ? `process ${holder.pid} on ${holder.host}` : 'another download');
  }
  // Moves the lock aside, and removes it there. If another process has replaced it meanwhile, moves it back.
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(undefinedIfMissing);
  const taken = await readFile(aside, 'utf8').catch(undefinedIfMissing);
  if (taken === text) await rm(aside, { force: true });
  else if (taken !== undefined) await rename(aside, path);
}

function isHeld(holder: Holder | undefined, age: number): boolean {
  if (holder?.host !== hostname()) return age < LEASE;
  // A crashed process does not renew its lock, and its id may belong to another process now.
  if (holder.pid !== process.pid) return isRunning(holder.pid) && age < LEASE;
  return Math.abs(holder.started - startedAt()) <= CLOCK_CHANGE;
}

const startedAt = (): number => Math.round(Date.now() / 1000 - process.uptime());

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !isCoded(error, 'ESRCH');
  }
}

/** Undefined for a lock that this client has not written, or not yet. */
function holderOf(text: string): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(text);
    return isHolder(holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}

const isHolder = (holder: unknown): holder is Holder =>
  typeof holder === 'object' &&
  holder !== null &&
  'id' in holder &&
  'host' in holder &&
  typeof holder.host === 'string' &&
  'pid' in holder &&
  Number.isSafeInteger(holder.pid) &&
  'started' in holder &&
  Number.isSafeInteger(holder.started);

const isTouched = async (path: string, now: Date): Promise<boolean> =>
  await utimes(path, now, now).then(
    () => true,
    () => false,
  );

const inUse = (path: string, owner: string): FileInUse =>
  new FileInUse(
    `${path.replace(/\.lock$/, '')} is in use by ${owner}. Wait until it has finished. If it no longer runs, remove ${path}.`,
  );
