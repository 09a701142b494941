/** Defines the command `transactions audit`. */

import type { Command } from 'commander';
import { withExamples, withSettings } from './command-flags.ts';

export function addAuditCommand(program: Command): void {
  const reading = withSettings(
    program
      .command('audit')
      .description('Print the audit log: who asked for what, and who changed what.')
      .requiredOption(
        '--since <date>',
        'events from then on: 2026-03-01, "2026-03-01 14:00:00" or 2026-03-01T14:00:00Z',
      )
      .option('--until <date>', 'events before then')
      .option(
        '--principal <id>',
        'only what was done with this access token (its id, see `token list`), or by this subject of the identity provider',
      )
      .option('--event <name>', 'only this kind of event, such as report or token_created')
      .option(
        '--person <value>',
        'only reports and webhooks that could have contained the transactions of a person, and reports that were filtered by this value: FIELD=VALUE such as ip=198.51.100.7; FIELD is ip, clickid, subid, userid, orderid or transaction_id',
      )
      .option('--format <format>', 'table, json (one line each) or csv', 'table'),
    'database',
  ).action(async (flags) => {
    const { auditCommand } = await import('./commands/audit-command.ts');
    await auditCommand(flags);
  });
  withExamples(
    reading,
    'transactions audit --since 2026-03-01 --principal Ab12Cd34Ef --format json',
    'transactions audit --since 2026-03-01 --person clickid=c0ffee',
  );
}
