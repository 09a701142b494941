/** Lets no more than one download at a time write a part, and none wait for one that crashed. */

import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { FileInUse } from '../errors.ts';

interface Holder {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** Seconds since 1970: a process of before may have had the same number, as in a container. */
  readonly started: number;
}

/** Milliseconds for which the lock of a process of another machine holds after it was renewed. */
const LEASE = 120_000;
const RENEWAL = 20_000;

/** Seconds by which the clock may be set while a process runs. */
const CLOCK_CHANGE = 5;

export class PartLock {
  readonly #path: string;
  readonly #text: string;
  readonly #renewing: NodeJS.Timeout;

  private constructor(path: string, text: string) {
    this.#path = path;
    this.#text = text;
    this.#renewing = setInterval(async () => await renew(path), RENEWAL).unref();
  }

  /** Throws a FileInUse where another download holds it. */
  static async take(path: string): Promise<PartLock> {
    const holder = { id: randomUUID(), host: hostname(), pid: process.pid, started: startedAt() };
    const text = `${JSON.stringify(holder)}\n`;
    while (!(await isCreated(path, text))) await removeStale(path);
    return new PartLock(path, text);
  }

  /** Throws a FileInUse where the lock was lost, as while the machine was asleep. */
  async confirm(): Promise<void> {
    if ((await this.#read()) !== this.#text) throw inUse(this.#path, 'by another download by now');
  }

  async release(): Promise<void> {
    clearInterval(this.#renewing);
    if ((await this.#read()) === this.#text) await rm(this.#path, { force: true });
  }

  async #read(): Promise<string | undefined> {
    return await readFile(this.#path, 'utf8').catch(whenAbsent);
  }
}

/** Of what is not there, nothing. */
export function whenAbsent(error: unknown): undefined {
  if (isCoded(error, 'ENOENT')) return undefined;
  throw error;
}

const isCoded = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

async function isCreated(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (isCoded(error, 'EEXIST')) return false;
    throw error;
  }
}

async function removeStale(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(whenAbsent);
  const renewed = (await stat(path).catch(whenAbsent))?.mtimeMs;
  if (text === undefined || renewed === undefined) return;
  const holder = holderOf(text);
  if (isHeld(holder, Date.now() - renewed)) {
    throw inUse(path, holder ? `by process ${holder.pid} of ${holder.host}` : 'by a download');
  }
  // Taken away before it is looked at again: another one may have put its own there meanwhile.
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(whenAbsent);
  const taken = await readFile(aside, 'utf8').catch(whenAbsent);
  if (taken === text) await rm(aside, { force: true });
  else if (taken !== undefined) await rename(aside, path);
}

function isHeld(holder: Holder | undefined, age: number): boolean {
  if (holder?.host !== hostname()) return age < LEASE;
  if (holder.pid !== process.pid) return isRunning(holder.pid);
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

/** Undefined also while it is being written. */
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

/** A lock that is gone is found out by who confirms it. */
async function renew(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
}

const inUse = (path: string, by: string): FileInUse =>
  new FileInUse(
    `${path.replace(/\.lock$/, '')} is being written ${by}: wait for its end, or where there is none, remove ${path}.`,
  );
