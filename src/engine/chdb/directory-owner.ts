/**
 * Finds the process that uses a data directory of the embedded engine.
 *
 * The engine writes its process id to the file `status`, which it locks, and removes the file when it is closed.
 * Processes of other containers have ids of their own, and the system does not list their locks.
 */

import { access, constants, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { isProcessAlive } from '../../disk/is-alive.ts';

/** The file locks of the machine. Only Linux has this file. */
const LOCKS = '/proc/locks';

/** Milliseconds by which the computed boot time may change, because the clock is adjusted. */
const CLOCK_CHANGE = 10_000;

const statusPath = (directory: string): string => join(directory, 'status');

/** The id of the process, unless it is in another container. */
export async function ownerOf(directory: string, locksFile = LOCKS): Promise<number | undefined> {
  const path = statusPath(directory);
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
  // The device of the file is not compared, because Btrfs lists another one than `stat` returns.
  return new RegExp(`FLOCK +ADVISORY +WRITE +${owner} \\S+:${file.ino} `).test(locks);
}

/** In milliseconds since 1970. */
const bootTime = (): number => Date.now() - uptime() * 1000;

/** Whether a process listens on a socket, also if it is in another container. */
export async function isListening(socket: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const connection = connect(socket, () => resolve(true)).on('error', () => resolve(false));
  return await promise.finally(() => connection.destroy());
}

/** When an engine has locked the directory, in nanoseconds since 1970. Undefined if this process cannot lock it. */
export async function lockTime(directory: string): Promise<bigint | undefined> {
  const path = statusPath(directory);
  try {
    await access(path, constants.W_OK);
    return (await stat(path, { bigint: true })).mtimeNs;
  } catch {
    return undefined;
  }
}
