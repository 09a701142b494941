/** Defines the commands `transactions token block` and `unblock`. */

import type { Command } from 'commander';
import { withExamples, withSettings } from './command-flags.ts';

export function addSubjectCommands(token: Command): void {
  const blocking = withSettings(
    token
      .command('block')
      .description('Refuse all tokens of a subject of the identity provider, within 5 seconds.')
      .argument('<subject>', 'the claim "sub" of the tokens')
      .option('--json', 'print one line of JSON'),
    'database',
  ).action(async (subject, flags) => {
    const { blockSubjectCommand } = await import('./commands/subject-commands.ts');
    await blockSubjectCommand(subject, flags);
  });
  withExamples(blocking, "transactions token block 'auth0|5f7c8ec7'");
  withSettings(
    token
      .command('unblock')
      .description('Accept tokens of a blocked subject again.')
      .argument('<subject>', 'the subject, see `transactions token list`')
      .option('--json', 'print one line of JSON'),
    'database',
  ).action(async (subject, flags) => {
    const { unblockSubjectCommand } = await import('./commands/subject-commands.ts');
    await unblockSubjectCommand(subject, flags);
  });
}
