/** Opens the embedded engine on a data directory. */

import { mkdir } from 'node:fs/promises';
import { type Engine, EngineFailure, failureOf } from '../engine.ts';
import { ChdbEngine } from './chdb-engine.ts';
import { ownerOf } from './directory-owner.ts';

/** Another process uses the data directory. The engine allows only one. */
export class DatabaseInUse extends Error {}

/** Lets the engine write backups to any directory. Only operators name one, on the command line. */
const CONNECTION_ARGS = ['--backups.allowed_path=/'];

export async function openChdb(directory: string): Promise<Engine> {
  const { Session, drainPending } = await loadChdb();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // Checked first, because the engine reports a lock to standard error and as an unspecific failure.
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

async function loadChdb(): Promise<typeof import('chdb')> {
  try {
    return await import('chdb');
  } catch (cause) {
    const advice =
      'The embedded engine is not installed. Install it with `npm install chdb`, or set DATABASE_URL to a ClickHouse server.';
    throw new EngineFailure(advice, { cause });
  }
}
