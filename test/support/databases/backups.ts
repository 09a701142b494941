/** A folder with embedded databases of sales, and the commands that back them up and restore them. */

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackupReport } from '../../../src/backup/back-up.ts';
import type { AddressVisibility } from '../../../src/contract/record/address-visibility.ts';
import { LocalOperator } from '../../../src/control/local-operator.ts';
import { openDatabase } from '../../../src/database/open-database.ts';
import { NEVER_ABORTED } from '../../../src/engine/never-aborted.ts';
import { type Outcome, runCommand } from '../programs/command.ts';
import { writeBigFile } from '../rows/big-file.ts';
import { newDatabase } from './copied-database.ts';
import { type VisibleCounts, visibleCounts } from './visible-counts.ts';

export interface BackupHome {
  readonly path: string;
  /** Runs a command on one of the databases. */
  run(
    database: string,
    args: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ): Promise<Outcome>;
  /** Works on a database in this process. A new one gets the addresses. */
  operate<Result>(
    database: string,
    work: (operator: LocalOperator) => Promise<Result>,
    addresses?: AddressVisibility,
  ): Promise<Result>;
  /** Imports a number of rows; the same number means the same rows. */
  importRows(database: string, rows: number, addresses?: AddressVisibility): Promise<void>;
  /** Backs up a database to a folder with this name, in this process. */
  backUp(database: string, name: string, baseName?: string): Promise<BackupReport>;
  /** What the next process that opens the database sees. */
  seenIn(database: string): Promise<VisibleCounts>;
  remove(): Promise<void>;
}

export async function backupHome(timeZone: string): Promise<BackupHome> {
  const path = await mkdtemp(join(tmpdir(), 'transactions-backup-'));
  const run: BackupHome['run'] = async (database, args, environment = {}) =>
    await runCommand([...args, '--database', `chdb:${join(path, database)}`], {
      directory: path,
      environment,
    });
  const operate: BackupHome['operate'] = async (database, work, addresses) => {
    const directory = join(path, database);
    if (addresses === undefined && !existsSync(directory)) await newDatabase(directory, timeZone);
    const operator = new LocalOperator(
      await openDatabase({ url: `chdb:${directory}`, timeZone, addresses }),
    );
    try {
      return await work(operator);
    } finally {
      await operator.close();
    }
  };
  return {
    path,
    run,
    operate,
    async importRows(database, rows, addresses) {
      const file = join(path, `${rows}.csv`);
      await writeBigFile(file, rows);
      const order = { files: [{ path: file, name: file }], round: false, rejects: false };
      await operate(database, async (operator) => await operator.importFiles(order, {}), addresses);
    },
    async backUp(database, name, baseName) {
      const place = (of: string) =>
        ({ kind: 'directory', name: of, path: join(path, of) }) as const;
      const order = { to: place(name), base: baseName === undefined ? undefined : place(baseName) };
      const options = { signal: NEVER_ABORTED };
      return await operate(database, async (operator) => await operator.backUp(order, options));
    },
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
