/** Opens the embedded engine on a data directory. */

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../../disk/is-alive.ts';
import { type Engine, EngineFailure, failureOf } from '../engine.ts';
import { ChdbEngine } from './chdb-engine.ts';

/** Another process holds the data directory: the engine allows only one. */
export class DirectoryInUse extends Error {}

export async function openChdb(directory: string): Promise<Engine> {
  const { Session, drainPending } = await loadChdb();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const holder = await holderOf(directory);
  if (holder !== undefined) {
    throw new DirectoryInUse(`Process ${holder} uses ${directory}.`);
  }
  try {
    return new ChdbEngine(() => new Session(directory), drainPending);
  } catch (error) {
    throw failureOf(error);
  }
}

/**
 * The process that holds the directory: the engine notes its number in the file `status`.
 *
 * Asked beforehand, because the engine reports a lock on standard error and as a nameless failure.
 */
async function holderOf(directory: string): Promise<number | undefined> {
  const status = await readFile(join(directory, 'status'), 'utf8').catch(() => '');
  const holder = Number(/^PID: (\d+)$/m.exec(status)?.[1]);
  return holder > 0 && holder !== process.pid && isAlive(holder) ? holder : undefined;
}

async function loadChdb(): Promise<typeof import('chdb')> {
  try {
    return await import('chdb');
  } catch (cause) {
    const advice =
      'The embedded engine is not installed. Install it with `npm install chdb`, or set DATABASE_URL to a ClickHouse server.';
    throw new EngineFailure(advice, { cause });
  }
}
