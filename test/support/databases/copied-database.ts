/** New databases as copies of templates, because creating the tables takes long. */

import { cpSync, existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inject } from 'vitest';
import { isProcessAlive } from '../../../src/disk/is-alive.ts';
import { openChdb } from '../../../src/engine/chdb/open-chdb.ts';
import { migrate } from '../../../src/schema/migrations.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory that the test files of a run share. */
    shared: string;
  }
}

/** Creates an embedded database with empty tables, which no process has open. */
export async function newDatabase(directory: string, timeZone: string): Promise<void> {
  await putCopy(`embedded-${timeZone}`, directory, async (draft) => {
    const engine = await openChdb(draft);
    await migrate(engine, timeZone);
    await engine.close();
  });
}

/** Copies the directory with this name, which is filled once in a run of the tests. */
export async function putCopy(
  name: string,
  directory: string,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const original = join(inject('shared'), encodeURIComponent(name));
  const lock = `${original}-lock`;
  while (!copyIfExists(original, directory)) {
    if (await takeLock(lock)) await putOriginal(original, lock, fill);
    else await delay(50);
  }
}

async function putOriginal(
  original: string,
  lock: string,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  try {
    // Another process may have put it there just before the lock was taken.
    if (existsSync(original)) return;
    const draft = await mkdtemp(`${original}-draft-`);
    await fill(draft);
    // A rename is atomic. It fails if two processes have taken over the lock of a dead one.
    await rename(draft, original).catch(async ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw new Error(`No ${original}: ${code}`);
      await rm(draft, { recursive: true, force: true });
    });
  } finally {
    await rm(lock, { force: true });
  }
}

/** Creates the lock file, or takes over that of a dead process. False if a running process has it. */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
    return holder > 0 && !isProcessAlive(holder);
  }
}

/** Copies the directory if it exists. Relative links are copied unchanged, so they stay inside the copy. */
function copyIfExists(original: string, directory: string): boolean {
  if (!existsSync(original)) return false;
  cpSync(original, directory, { recursive: true, verbatimSymlinks: true });
  return true;
}
