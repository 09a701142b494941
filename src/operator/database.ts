/** Opens a database ready for work: reachable, of the right form and time zone, without half imports. */

import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { recoverImports } from '../ingest/publishing.ts';
import { openChdb } from '../store/chdb/open-chdb.ts';
import type { Engine } from '../store/engine.ts';
import { migrate, storedTimeZone } from '../store/migrations.ts';
import { type DatabaseAddress, readDatabaseUrl } from './database-url.ts';
import { OperatorError } from './operator-error.ts';

export interface Database {
  readonly engine: Engine;
  /** The platform's time zone, fixed when the database was created. */
  readonly timeZone: string;
  /** Where an embedded database keeps its files. */
  readonly directory: string;
}

export interface DatabaseSettings {
  readonly url: string;
  /** The time zone that the operator expects or, for a new database, wants. */
  readonly timeZone: string | undefined;
}

const DEFAULT_TIME_ZONE = 'UTC';

/** The file through which other commands reach the process that holds an embedded database. */
export const socketPath = (directory: string): string => join(directory, 'operator.sock');

/** Where imports keep what they need in between. */
export const workDirectory = (directory: string): string => join(directory, 'incoming');

export const directoryOf = (address: DatabaseAddress): string => resolve(address.directory);

/** Opens the embedded database, creating and migrating it where needed. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const directory = directoryOf(readDatabaseUrl(settings.url));
  const engine = await openChdb(directory);
  try {
    const stored = await storedTimeZone(engine);
    if (stored !== undefined) checkTimeZone(stored, settings.timeZone);
    const timeZone = stored ?? settings.timeZone ?? DEFAULT_TIME_ZONE;
    await migrate(engine, timeZone);
    await recoverImports(engine);
    await rm(workDirectory(directory), { recursive: true, force: true });
    return { engine, timeZone, directory };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Refuses to work for another time zone than the database was created for. */
export function checkTimeZone(stored: string, wanted: string | undefined): void {
  if (wanted === undefined || stored === wanted) return;
  throw new OperatorError(
    `The database was created for the time zone ${stored}, but TIMEZONE says ${wanted}.`,
    `Set TIMEZONE=${stored} or leave it out; to change the zone, import into a new database.`,
  );
}
