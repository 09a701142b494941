/** New embedded databases as copies of one that was made once for all files of tests: making tables takes the engine half a second. */

import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openChdb } from '../../src/store/chdb/open-chdb.ts';
import { migrate } from '../../src/store/migrations.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a run of the tests keeps the databases that are copied, one for each time zone. */
    databases: string;
  }
}

/** Makes a database with the service's tables and nothing in them; nobody has opened it yet. */
export async function newDatabase(directory: string, timeZone: string): Promise<void> {
  const original = join(inject('databases'), encodeURIComponent(timeZone));
  if (!(await copied(original, directory))) {
    await makeOriginal(original, timeZone);
    await copied(original, directory);
  }
}

/** Links are relative: taken as they are, they stay within the copy. */
const copied = async (original: string, directory: string): Promise<boolean> =>
  await cp(original, directory, { recursive: true, verbatimSymlinks: true }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

/** Appears whole or not at all, as another file of tests may make the same one meanwhile. */
async function makeOriginal(original: string, timeZone: string): Promise<void> {
  const draft = await mkdtemp(`${original}-draft-`);
  const engine = await openChdb(draft);
  await migrate(engine, timeZone);
  await engine.close();
  await rename(draft, original).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(draft, { recursive: true, force: true });
  });
}
