/** New databases as copies of templates, because creating the tables takes long. */

import { cpSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
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
  if (isCopied(original, directory)) return;
  const draft = await mkdtemp(`${original}-draft-`);
  await fill(draft);
  // A rename is atomic: another test file may fill the same directory meanwhile.
  await rename(draft, original).catch(async ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw new Error(`No ${original}: ${code}`);
    await rm(draft, { recursive: true, force: true });
  });
  if (!isCopied(original, directory)) throw new Error(`There is no ${original}.`);
}

/** Relative links are copied unchanged, so they stay inside the copy. */
function isCopied(original: string, directory: string): boolean {
  try {
    cpSync(original, directory, { recursive: true, verbatimSymlinks: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
