/** Directories in the temporary directory of the system, each named after the process that made it. */

import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProcessAlive } from './is-alive.ts';

type Purpose = 'incoming' | 'outgoing';

/** Distinguishes this process from an earlier one with the same process id, which is common in containers. */
const INSTANCE = randomUUID();

const commonPrefix = (purpose: Purpose): string => `transactions-${purpose}-`;

const ownPrefix = (purpose: Purpose): string =>
  `${commonPrefix(purpose)}${process.pid}-${INSTANCE}-`;

/** The prefix of the paths of this process. Nobody can guess it. */
export const temporaryPrefix = (purpose: Purpose): string => join(tmpdir(), ownPrefix(purpose));

/** Removes the directories of killed processes, as far as this process has the right to. */
export async function clearTemporary(purpose: Purpose): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const stale = names.filter((name) => {
    if (!name.startsWith(commonPrefix(purpose)) || name.startsWith(ownPrefix(purpose)))
      return false;
    const owner = Number.parseInt(name.slice(commonPrefix(purpose).length), 10);
    return owner > 0 && (owner === process.pid || !isProcessAlive(owner));
  });
  const removals = stale.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true }));
  await Promise.allSettled(removals);
}

export async function removePaths(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })));
}
