/**
 * A directory in memory for temporary files of tests, because the engine writes many small files.
 *
 * Undefined if the machine has none, or too little room.
 */

import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../../src/disk/is-alive.ts';

/** The file system in memory of Linux. */
const ROOT = '/dev/shm';
const PREFIX = 'transactions-tests-';

/** Bytes that must be free: several times what the tests need at once. */
const LEAST_ROOM = 6 * 1024 ** 3;

export function memoryDirectory(): string | undefined {
  if (!existsSync(ROOT)) return undefined;
  removeLeftOnes();
  const { bavail, bsize } = statfsSync(ROOT);
  if (bavail * bsize < LEAST_ROOM) return undefined;
  const directory = join(ROOT, `${PREFIX}${process.pid}`);
  mkdirSync(directory, { recursive: true });
  // Like the system's directory: database servers of tests run as other users.
  chmodSync(directory, 0o1777);
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A run that was killed leaves its directory. */
function removeLeftOnes(): void {
  for (const name of readdirSync(ROOT)) {
    const owner = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : 0;
    if (owner > 0 && owner !== process.pid && !isAlive(owner)) {
      rmSync(join(ROOT, name), { recursive: true, force: true });
    }
  }
}
