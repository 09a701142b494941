/**
 * A directory in memory for temporary files of tests, because the engine writes many small files.
 *
 * Undefined if the machine has none, too little room or memory, or if programs cannot run from it.
 */

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from '../../../src/disk/is-alive.ts';

/** The file system in memory of Linux. */
const ROOT = '/dev/shm';
const PREFIX = 'transactions-tests-';

/** Bytes that must be free: several times what the tests need at once. */
const LEAST_ROOM = 6 * 1024 ** 3;

/**
 * Milliseconds without a new file after which a leftover directory is removed. Until then, it may belong to a
 * run in another container, whose process is not visible here.
 */
const UNUSED = 3_600_000;

export function memoryDirectory(): string | undefined {
  if (!existsSync(ROOT)) return undefined;
  removeLeftovers();
  const { bavail, bsize } = statfsSync(ROOT);
  if (Math.min(bavail * bsize, availableMemory()) < LEAST_ROOM) return undefined;
  const directory = mkdtempSync(join(ROOT, `${PREFIX}${process.pid}-`));
  process.once('exit', () => removeIfPossible(directory));
  if (!runsPrograms(directory)) return undefined;
  // The permissions of /tmp, because database servers of tests run as other users.
  chmodSync(directory, 0o1777);
  return directory;
}

/** Bytes of memory that new processes can use. The file system may show more free space than that. */
function availableMemory(): number {
  const line = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'));
  return Number(line?.[1] ?? 0) * 1024;
}

/** Containers often mount /dev/shm with `noexec`. */
function runsPrograms(directory: string): boolean {
  const script = join(directory, 'probe');
  writeFileSync(script, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  return spawnSync(script).status === 0;
}

/** A run that was killed leaves its directory. */
function removeLeftovers(): void {
  for (const name of readdirSync(ROOT)) {
    const owner = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : 0;
    if (owner > 0 && !isProcessAlive(owner)) removeIfUnused(join(ROOT, name));
  }
}

function removeIfUnused(directory: string): void {
  const { uid, mtimeMs } = statSync(directory, { throwIfNoEntry: false }) ?? {};
  const isOwn = uid !== undefined && uid === process.getuid?.();
  if (isOwn && Date.now() - (mtimeMs ?? 0) > UNUSED) removeIfPossible(directory);
}

/** Removing fails if a killed test has left a file system mounted in the directory. */
function removeIfPossible(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // The next run tries again.
  }
}
