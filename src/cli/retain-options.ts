/** Defines the command `transactions retain`. */

import type { Command } from 'commander';
import { withExamples, withSettings } from './command-flags.ts';

export function addRetainCommand(program: Command): void {
  const retaining = withSettings(
    program
      .command('retain')
      .description('Remove transactions that are older than the setting RETENTION allows.')
      .option('--dry-run', 'show what would be removed, and change nothing')
      .option('--json', 'print one line of JSON'),
    'database',
  ).action(async (flags) => {
    const { retainCommand } = await import('./commands/retain-command.ts');
    await retainCommand(flags);
  });
  withExamples(
    retaining,
    'RETENTION="impressions=13 months, *=37 months" transactions retain --dry-run',
    'RETENTION="*=37 months" transactions retain --json',
  );
}
