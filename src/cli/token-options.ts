/** Defines the commands `transactions token create`, `list` and `revoke`, with those that block subjects. */

import type { Command } from 'commander';
import { collect, withExamples, withSettings } from './command-flags.ts';
import { addSubjectCommands } from './subject-options.ts';

export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('Create, list and revoke access tokens.');
  addCreate(token);
  withSettings(
    token
      .command('list')
      .description('List all tokens, and the links that can still be used.')
      .option('--json', 'print one line of JSON'),
    'database',
  ).action(async (flags) => {
    const { listTokensCommand } = await import('./commands/token-commands.ts');
    await listTokensCommand(flags);
  });
  withSettings(
    token
      .command('revoke')
      .description('Revoke a token or a link. Every server refuses it within 5 seconds.')
      .argument('<id>', 'the id of the token, see `transactions token list`')
      .option('--json', 'print one line of JSON'),
    'database',
  ).action(async (id, flags) => {
    const { revokeTokenCommand } = await import('./commands/token-commands.ts');
    await revokeTokenCommand(id, flags);
  });
  addSubjectCommands(token);
}

function addCreate(token: Command): void {
  const creating = withSettings(
    token
      .command('create')
      .description('Create an access token. It is shown only once.')
      .requiredOption('--role <role>', 'admin or affiliate')
      .option('--publisher <id>', 'website of an affiliate, or several: 345,346', collect)
      .option('--program <id>', 'limit the token to this program, or several: 12,13', collect)
      .option('--locale <locale>', 'language of the labels: fr, en, de, es, it, nl, pt')
      .option('--name <text>', 'who or what uses the token')
      .option('--expires <time>', 'how long it is valid: 90d, 12h, 30m, 60s or never (else 90d)')
      .option(
        '--may-manage-tokens',
        'let an admin manage tokens and webhooks within its own rights',
      )
      .option(
        '--link',
        'instead of the token, print a link that signs in to the explorer; valid once, for 15 minutes',
      )
      .option('--json', 'print one line of JSON'),
    'database',
  ).action(async (flags) => {
    const { createTokenCommand } = await import('./commands/token-commands.ts');
    await createTokenCommand(flags);
  });
  withExamples(
    creating,
    'transactions token create --role admin --name "Data team" --expires never',
    'transactions token create --role affiliate --publisher 345,346 --locale fr',
    'transactions token create --role affiliate --publisher 345 --link',
    'transactions token create --role admin --name "Account managers" --may-manage-tokens',
  );
}
