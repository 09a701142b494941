/** `transactions backup` and `restore`. */

import colors from 'picocolors';
import type { BackupOptions, BackupReport } from '../../backup/back-up.ts';
import { openOperator } from '../../control/open-operator.ts';
import { restoreDatabase } from '../../database/restore-database.ts';
import { DatabaseInUse } from '../../engine/chdb/open-chdb.ts';
import { UserError } from '../../user-error.ts';
import { readBackupPlace } from '../inputs/backup-place.ts';
import { databaseSettings } from '../inputs/database-settings.ts';
import { printZoneNotice } from '../inputs/new-time-zone.ts';
import { type Flags, readSettings } from '../inputs/settings.ts';
import { interruptible } from '../interruptible.ts';
import { progressBar } from '../output/progress-bar.ts';

interface BackupFlags extends Flags {
  readonly base?: string;
  readonly json?: boolean;
}

export async function backupCommand(place: string, flags: BackupFlags): Promise<void> {
  const given = await printZoneNotice(readSettings(flags, process.env));
  const settings = await databaseSettings(given);
  const placeOf = (text: string) => readBackupPlace(text, settings.url, process.env);
  const to = placeOf(place);
  const base = flags.base === undefined ? undefined : placeOf(flags.base);
  const again =
    'Delete the incomplete backup, then run the command again. Earlier backups are unaffected.';
  const report = await withProgress('backing up', flags, again, async (options) => {
    const operator = await openOperator(settings);
    try {
      return await operator.backUp({ to, base }, options);
    } finally {
      await operator.close();
    }
  });
  print(report, flags, `Backed up ${contentOf(report)} to ${place}: wrote`);
}

export async function restoreCommand(place: string, flags: BackupFlags): Promise<void> {
  const settings = await databaseSettings(readSettings(flags, process.env));
  const from = readBackupPlace(place, settings.url, process.env);
  const again = 'Nothing was restored. Run the same command again.';
  const report = await withProgress('restoring', flags, again, async (options) => {
    try {
      return await restoreDatabase(settings, from, options);
    } catch (error) {
      throw error instanceof DatabaseInUse ? inUse(error) : error;
    }
  });
  print(report, flags, `Restored ${contentOf(report)} from ${place}: read`);
  console.error(RESTORED_ACCESS);
}

/** Printed also with --json, because it is about security. */
const RESTORED_ACCESS =
  'Tokens that were revoked and subjects that were blocked since the backup are valid again.\nRevoke and block them again before you start the service. If you have a file of AUDIT_LOG, it names them.';

const inUse = (cause: DatabaseInUse): UserError =>
  new UserError(
    `${cause.message} A backup is restored into an empty database that no process uses.`,
    'Restore into another directory: --database chdb:./restored',
    { cause },
  );

/** Shows the progress, and stops the work on SIGINT and SIGTERM. */
async function withProgress(
  phase: string,
  { json }: BackupFlags,
  again: string,
  work: (options: BackupOptions) => Promise<BackupReport>,
): Promise<BackupReport> {
  const bar = progressBar(json === true, phase);
  const onProgress = (part: number) => bar?.update(part);
  return await interruptible(
    () => new UserError('Interrupted.', again),
    async (signal) => await work({ signal, onProgress }).finally(() => bar?.stop()),
  );
}

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

const contentOf = ({ transactions, tokens }: BackupReport): string =>
  `${counted(transactions, 'transaction')} and ${counted(tokens, 'access token')}`;

function print(report: BackupReport, { json }: BackupFlags, done: string): void {
  const { transactions, tokens, bytes, seconds } = report;
  if (json) {
    const rounded = Math.round(seconds * 1000) / 1000;
    console.log(JSON.stringify({ transactions, tokens, bytes, seconds: rounded }));
    return;
  }
  const size = `${(bytes / 1_000_000).toFixed(1)} MB in ${seconds.toFixed(1)} s`;
  console.log(colors.green(`${done} ${size}.`));
}
