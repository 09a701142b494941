/** Defines the command `transactions audit`. */

import type { Command } from 'commander';
import { withExamples, withSettings } from './command-flags.ts';

export function addAuditCommand(program: Command): void {
  const reading = withSettings(
    program
      .command('audit')
      .description('Print the audit log: who asked for what, and who changed what.')
      .requiredOption('--since <date>', 'first line: 2026-03-01, or with a time')
      .option('--until <date>', 'end, excluded')
      .option('--principal <id>', 'only this token or subject')
      .option('--event <name>', 'only this kind of event, such as token_created')
      .option(
        '--person <value>',
        'only reports that could have shown a value, or asked for it: ip=198.51.100.7',
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
