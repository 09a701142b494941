/** Finds the process that uses a data directory of the embedded engine. */

import { readFile, stat } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { isProcessAlive } from '../../disk/is-alive.ts';

/** The file locks of the machine. Only Linux has this file. */
const LOCKS = '/proc/locks';

/** Milliseconds by which the computed boot time may change, because the clock is adjusted. */
const CLOCK_CHANGE = 10_000;

/** The engine writes its process id to the file `status`, and removes the file when it is closed. */
export async function ownerOf(directory: string, locksFile = LOCKS): Promise<number | undefined> {
  const path = join(directory, 'status');
  const status = await readFile(path, 'utf8').catch(() => '');
  const owner = Number(/^PID: (\d+)$/m.exec(status)?.[1]);
  if (!(owner > 0) || owner === process.pid || !isProcessAlive(owner)) return undefined;
  return (await hasOpened(owner, path, locksFile)) ? owner : undefined;
}

/** False if the file is left from a crash, and another process or thread has got the id since. */
async function hasOpened(owner: number, path: string, locksFile: string): Promise<boolean> {
  const file = await stat(path, { bigint: true }).catch(() => undefined);
  if (file === undefined) return false;
  const locks = await readFile(locksFile, 'utf8').catch(() => undefined);
  if (locks === undefined) return Number(file.mtimeMs) > bootTime() - CLOCK_CHANGE;
  // The engine locks the file. Its device is not compared, because Btrfs lists another one than `stat` returns.
  return new RegExp(`FLOCK +ADVISORY +WRITE +${owner} \\S+:${file.ino} `).test(locks);
}

/** In milliseconds since 1970. */
const bootTime = (): number => Date.now() - uptime() * 1000;
