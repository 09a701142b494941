/** Opens the embedded engine on a data directory. */

import { mkdir } from 'node:fs/promises';
import { type Engine, EngineFailure, failureOf } from '../engine.ts';
import { ChdbEngine } from './chdb-engine.ts';
import { isListening, lockTime, ownerOf } from './directory-owner.ts';

/** Another process uses the data directory. The engine allows only one. */
export class DatabaseInUse extends Error {}

/** Lets the engine write backups to any directory. Only operators name one, on the command line. */
const CONNECTION_ARGS = ['--backups.allowed_path=/'];

/** While a process serves the directory, it listens on the socket. */
export async function openChdb(directory: string, socket?: string): Promise<Engine> {
  const { Session, drainPending } = await loadChdb();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // Checked first, because the engine reports a lock to standard error and as an unspecific failure.
  const owner = await ownerOf(directory);
  if (owner !== undefined) {
    throw new DatabaseInUse(`Process ${owner} uses ${directory}.`);
  }
  if (socket !== undefined && (await isListening(socket))) throw usedElsewhere(directory);
  const lockedAt = await lockTime(directory);
  try {
    const open = () => new Session(directory, { connectionArgs: CONNECTION_ARGS });
    return new ChdbEngine(open, drainPending);
  } catch (error) {
    // This engine has not locked the directory, or the time would be another one.
    const isLocked = lockedAt !== undefined && lockedAt === (await lockTime(directory));
    throw isLocked ? usedElsewhere(directory, error) : failureOf(error);
  }
}

const usedElsewhere = (directory: string, cause?: unknown): DatabaseInUse =>
  new DatabaseInUse(`Another process, perhaps in another container, uses ${directory}.`, { cause });

async function loadChdb(): Promise<typeof import('chdb')> {
  try {
    return await import('chdb');
  } catch (cause) {
    const advice =
      'The embedded engine is not installed. Install it with `npm install chdb`, or set DATABASE_URL to a ClickHouse server.';
    throw new EngineFailure(advice, { cause });
  }
}
