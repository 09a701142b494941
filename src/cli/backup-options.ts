/** Defines the commands `transactions backup` and `restore`. */

import type { Command } from 'commander';
import { withExamples, withSettings } from './command-flags.ts';

export function addBackupCommands(program: Command): void {
  const backingUp = withSettings(
    program
      .command('backup')
      .description('Write a backup of the database, also while it is served.')
      .argument('<place>', 'a new directory, or s3://bucket/folder')
      .option(
        '--base <place>',
        'an earlier backup: write only what is not in it. Keep it: restoring the new backup reads both',
      )
      .option('--json', 'print one line of JSON'),
    'database',
  ).action(async (place, flags) => {
    const { backupCommand } = await import('./commands/backup-commands.ts');
    await backupCommand(place, flags);
  });
  withExamples(
    backingUp,
    'transactions backup /var/backups/transactions/monday',
    'transactions backup s3://bucket/tuesday --base s3://bucket/monday',
  );
  const restoring = withSettings(
    program
      .command('restore')
      .description('Restore a backup into an empty database: everything or nothing.')
      .argument('<place>', 'the directory or URL that the backup was written to')
      .option('--json', 'print one line of JSON'),
    'database',
  ).action(async (place, flags) => {
    const { restoreCommand } = await import('./commands/backup-commands.ts');
    await restoreCommand(place, flags);
  });
  withExamples(
    restoring,
    'transactions restore /var/backups/transactions/monday --database chdb:./restored',
    'transactions restore s3://bucket/tuesday --database chdb:./restored',
  );
}
