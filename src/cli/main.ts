/** Defines the commands of `transactions`, and runs one. */

import { Command } from 'commander';
import colors from 'picocolors';
import { VERSION } from '../contract/version.ts';
import { ImportRefused } from '../ingest/import-refused.ts';
import { UserError } from '../user-error.ts';
import { addAuditCommand } from './audit-options.ts';
import { addBackupCommands } from './backup-options.ts';
import { withSettings } from './command-flags.ts';
import { DEMO_DATABASE, DEMO_ROWS, DEMO_TIME_ZONE } from './demo-defaults.ts';
import { addDirectoryCommands } from './directory-options.ts';
import { addEraseCommand } from './erase-options.ts';
import { addImportCommand } from './import-options.ts';
import { printable } from './output/printable.ts';
import { addRetainCommand } from './retain-options.ts';
import { addTokenCommands } from './token-options.ts';
import { addWebhookCommands } from './webhooks/webhook-options.ts';

/** Errors in arguments point to the help of the command. */
function withHelpAfterError(command: Command, path = 'transactions'): Command {
  command.showHelpAfterError(`See all options with: ${path} --help`);
  for (const one of command.commands) withHelpAfterError(one, `${path} ${one.name()}`);
  return command;
}

/** Modules of commands are imported when they run, so that help and errors are fast. */
export function commandLine(): Command {
  const program = new Command('transactions')
    .description('Reports the tracking transactions of an affiliate-marketing platform.')
    .version(VERSION, '--version', 'show the version')
    .showSuggestionAfterError();
  withSettings(
    program
      .command('serve')
      .description('Serve the API, its documentation at /docs and the explorer at /.'),
    'host',
    'port',
    'database',
    'timeZone',
    'basePath',
  ).action(async (flags) => {
    const { serve } = await import('./commands/serve.ts');
    const { readSettings } = await import('./inputs/settings.ts');
    await serve(readSettings(flags, process.env));
  });
  addImportCommand(program);
  addDirectoryCommands(program);
  addBackupCommands(program);
  addEraseCommand(program.command('erase'));
  addAuditCommand(program);
  addTokenCommands(program);
  addWebhookCommands(
    program
      .command('webhook')
      .description('Deliver changes to URLs, as Standard Webhooks specifies.'),
  );
  withSettings(
    program
      .command('migrate')
      .description('Migrate the tables of the database to this version.')
      .option('--cluster <name>', 'create a new database on this cluster of ClickHouse servers'),
    'database',
    'timeZone',
  ).action(async (flags) => {
    const { migrateCommand } = await import('./commands/migrate-command.ts');
    await migrateCommand(flags);
  });
  addRetainCommand(program);
  withSettings(
    program.command('check').description('Show the settings in effect and test the database.'),
    'host',
    'port',
    'database',
    'timeZone',
    'basePath',
  ).action(async (flags) => {
    const { checkCommand } = await import('./commands/check-command.ts');
    await checkCommand(flags);
  });
  withSettings(
    program
      .command('demo')
      .description('Fill a database with two years of sample data and serve it.')
      .option('--rows <count>', `Number of transactions (default: ${DEMO_ROWS})`)
      .option(
        '--database <url>',
        `Where the sample data is, chdb:DIRECTORY (DATABASE_URL, else ${DEMO_DATABASE})`,
      )
      .option(
        '--time-zone <zone>',
        `Time zone of new sample data (TIMEZONE, else ${DEMO_TIME_ZONE})`,
      ),
    'host',
    'port',
    'basePath',
  ).action(async (flags) => {
    const { demoCommand } = await import('./commands/demo-command.ts');
    await demoCommand({ rows: DEMO_ROWS, ...flags });
  });
  return withHelpAfterError(program);
}

/** Runs a command. Errors are printed to standard error, with what to type next. */
export async function main(args: readonly string[]): Promise<void> {
  // Files that the engine creates must be readable only by their owner, too.
  process.umask(0o077);
  try {
    await commandLine().parseAsync(args, { from: 'user' });
  } catch (error) {
    console.error(errorText(error));
    process.exitCode = 1;
  }
}

function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const next =
    error instanceof UserError
      ? error.next
      : error instanceof ImportRefused
        ? 'Nothing was imported. Correct this, then run the command again.'
        : 'Check the settings and the database with: transactions check';
  return `${colors.red('error:')} ${printable(message)}\n${printable(next)}`;
}
