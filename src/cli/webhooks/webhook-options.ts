/** Defines the commands `transactions webhook`. */

import type { Command } from 'commander';
import { ACTIONS } from '../../contract/record/kinds.ts';
import { collect, withExamples, withSettings } from '../command-flags.ts';
import { WEBHOOK_ACTIONS } from './webhook-actions.ts';

export function addWebhookCommands(webhook: Command): void {
  addAddCommand(webhook);
  const commandsOf = async () => await import('./webhook-commands.ts');
  withSettings(
    webhook
      .command('list')
      .description('List all webhooks, with their state and last delivery.')
      .option('--json', 'print one line of JSON'),
    'database',
  ).action(async (flags) => (await commandsOf()).listWebhooksCommand(flags));
  for (const [action, description] of WEBHOOK_ACTIONS) {
    withSettings(
      webhook
        .command(action)
        .description(description)
        .argument('<id>', 'the id of the webhook, see `transactions webhook list`')
        .option('--json', 'print one line of JSON'),
      'database',
    ).action(async (id, flags) => (await commandsOf()).changeWebhookCommand(action, id, flags));
  }
  const replaying = withSettings(
    webhook
      .command('replay')
      .description('Deliver all changes since a time again, and those that follow.')
      .argument('<id>', 'the id of the webhook, see `transactions webhook list`')
      .requiredOption('--since <time>', 'a date and time such as 2026-03-01T14:00:00Z')
      .option('--json', 'print one line of JSON'),
    'database',
  ).action(async (id, flags) => (await commandsOf()).replayWebhookCommand(id, flags));
  withExamples(replaying, 'transactions webhook replay wh_3f… --since "2026-03-01 14:00:00"');
}

function addAddCommand(webhook: Command): void {
  const adding = withSettings(
    webhook
      .command('add')
      .description('Deliver changes to a URL from now on. Its secret is shown only once.')
      .argument('<url>', 'where messages are posted, such as https://example.com/webhook')
      .requiredOption('--role <role>', 'admin or affiliate')
      .option('--publisher <id>', 'website of an affiliate, or several: 345,346', collect)
      .option('--program <id>', 'limit it to this program, or several: 12,13', collect)
      .option('--type <type>', 'types of transactions, separated by commas', ACTIONS.join(','))
      .option('--locale <locale>', 'language of the labels: fr, en, de, es, it, nl, pt')
      .option('--name <text>', 'who or what receives the messages')
      .option('--json', 'print one line of JSON'),
    'database',
  ).action(async (url, flags) => {
    const { addWebhookCommand } = await import('./webhook-commands.ts');
    await addWebhookCommand(url, flags);
  });
  withExamples(
    adding,
    'transactions webhook add https://example.com/webhook --role affiliate --publisher 345',
    'transactions webhook add https://example.com/webhook --role admin --program 12 --type sales',
  );
}
