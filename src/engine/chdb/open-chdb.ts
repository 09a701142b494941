/** Opens the embedded engine on a data directory. */

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive } from '../../disk/is-alive.ts';
import { type Engine, EngineFailure, failureOf } from '../engine.ts';
import { ChdbEngine } from './chdb-engine.ts';

/** Another process uses the data directory. The engine allows only one. */
export class DatabaseInUse extends Error {}

/** Lets the engine write backups to any directory. Only operators name one, on the command line. */
const CONNECTION_ARGS = ['--backups.allowed_path=/'];

export async function openChdb(directory: string): Promise<Engine> {
  const { Session, drainPending } = await loadChdb();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const owner = await ownerOf(directory);
  if (owner !== undefined) {
    throw new DatabaseInUse(`Process ${owner} uses ${directory}.`);
  }
  try {
    const open = () => new Session(directory, { connectionArgs: CONNECTION_ARGS });
    return new ChdbEngine(open, drainPending);
  } catch (error) {
    throw failureOf(error);
  }
}

/**
 * The process that uses the directory: the engine writes its process id to the file `status`.
 *
 * Checked first, because the engine reports a lock to standard error and as an unspecific failure.
 */
async function ownerOf(directory: string): Promise<number | undefined> {
  const status = await readFile(join(directory, 'status'), 'utf8').catch(() => '');
  const owner = Number(/^PID: (\d+)$/m.exec(status)?.[1]);
  return owner > 0 && owner !== process.pid && isProcessAlive(owner) ? owner : undefined;
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
