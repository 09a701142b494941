/** Defines the options of `transactions erase`. */

import type { Command } from 'commander';
import { collect, withExamples, withSettings } from './command-flags.ts';
import { SELECTOR_FLAGS } from './inputs/selector-flags.ts';

export function addEraseCommand(command: Command): void {
  command.description('Erase persons: empty the personal fields of their transactions for good.');
  for (const { flag, meaning } of SELECTOR_FLAGS) {
    command.option(`--${flag} <value>`, meaning, collect);
  }
  command
    .option(
      '--rows',
      'remove whole transactions, also from counts and sums, instead of emptying their personal fields',
    )
    .option('--dry-run', 'show how many transactions are concerned, and change nothing')
    .option('--yes', 'erase without a preview and without asking; needed in scripts')
    .option('--json', 'print one line of JSON');
  withExamples(
    withSettings(command, 'database'),
    'transactions erase --ip-address 203.0.113.7 --dry-run',
    'transactions erase --clickid @clicks.txt --userid @users.txt --yes',
    'echo 203.0.113.7 | transactions erase --ip-address - --yes',
  ).action(async (flags) => {
    const { eraseCommand } = await import('./commands/erase-command.ts');
    await eraseCommand(flags);
  });
}
