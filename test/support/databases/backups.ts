/** A folder with embedded databases of sales, and the commands that back them up and restore them. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../src/database/open-database.ts';
import { type Outcome, runCommand } from '../programs/command.ts';
import { writeBigFile } from '../rows/big-file.ts';
import { type VisibleCounts, visibleCounts } from './visible-counts.ts';

export interface BackupHome {
  readonly path: string;
  /** Runs a command on one of the databases. */
  run(
    database: string,
    args: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ): Promise<Outcome>;
  /** Imports a number of rows; the same number means the same rows. */
  importRows(database: string, rows: number): Promise<void>;
  /** Creates an access token and returns its text. */
  token(database: string, ...flags: readonly string[]): Promise<string>;
  /** What the next process that opens the database sees. */
  seenIn(database: string): Promise<VisibleCounts>;
  remove(): Promise<void>;
}

export async function backupHome(): Promise<BackupHome> {
  const path = await mkdtemp(join(tmpdir(), 'transactions-backup-'));
  const run: BackupHome['run'] = async (database, args, environment = {}) =>
    await runCommand([...args, '--database', `chdb:${join(path, database)}`], {
      directory: path,
      environment,
    });
  const mustRun = async (database: string, args: readonly string[]) => {
    const { code, output, errors } = await run(database, args);
    if (code !== 0) throw new Error(errors);
    return output;
  };
  return {
    path,
    run,
    async importRows(database, rows) {
      await writeBigFile(join(path, `${rows}.csv`), rows);
      await mustRun(database, ['import', `${rows}.csv`]);
    },
    token: async (database, ...flags) =>
      (await mustRun(database, ['token', 'create', ...flags])).trim(),
    async seenIn(database) {
      const opened = await openDatabase({
        url: `chdb:${join(path, database)}`,
        timeZone: undefined,
      });
      try {
        return await visibleCounts(opened.engine);
      } finally {
        await opened.engine.close();
      }
    },
    remove: async () => await rm(path, { recursive: true, force: true }),
  };
}
