/** The command line `transactions`. */

import { Command, Option } from 'commander';
import colors from 'picocolors';
import { VERSION } from '../contract/version.ts';
import { ImportRefused } from '../ingest/import-refused.ts';
import { UserError } from '../user-error.ts';
import { type SettingName, settingLine } from './inputs/settings.ts';
import { printable } from './output/printable-text.ts';

/** Adds the flags of settings to a command, from the table of settings. */
function withSettings(command: Command, ...names: readonly SettingName[]): Command {
  for (const name of names) {
    const { flag, env, fallback, meaning } = settingLine(name);
    const shown = fallback ? `, else ${fallback}` : '';
    if (flag !== undefined) command.addOption(new Option(flag, `${meaning} (${env}${shown})`));
  }
  return command;
}

/** Shown below the options, because an example says more than a page. */
const withExamples = (command: Command, ...examples: readonly string[]): Command =>
  command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}`);

/** A mistake leads to the help of its own command. */
function withHelpAfterError(command: Command, path = 'transactions'): Command {
  command.showHelpAfterError(`Type ${path} --help for what there is.`);
  for (const one of command.commands) withHelpAfterError(one, `${path} ${one.name()}`);
  return command;
}

/** Enough for a full year on every screen, and few enough to be imported in seconds. */
const DEMO_ROWS = '100000';

const collect = (text: string, all: readonly string[] = []): readonly string[] => [...all, text];

/** Commands are loaded when they run, so that help and errors come at once. */
export function commandLine(): Command {
  const program = new Command('transactions')
    .description('Reports the tracking transactions of an affiliate-marketing platform.')
    .version(VERSION, '--version', 'show the version')
    .showSuggestionAfterError();
  withSettings(
    program
      .command('serve')
      .description('Serve the API, its documentation at /docs and the page at /.'),
    'host',
    'port',
    'database',
    'basePath',
  ).action(async (flags) => {
    const { serve } = await import('./commands/serve.ts');
    const { readSettings } = await import('./inputs/settings.ts');
    await serve(readSettings(flags, process.env));
  });
  const importing = withSettings(
    program
      .command('import')
      .description('Import files, or tables of other databases: every row, or none.')
      .argument(
        '<file...>',
        'CSV, NDJSON or Parquet files (plain, gzip or zstd), patterns such as "2026-*.csv.gz", - for standard input, or URLs: postgres://, mysql://, s3://',
      )
      .option('--type <type>', 'the type of all rows, where the files do not say it')
      .option('--mapping <file>', 'JSON file that says which columns and codes are which fields')
      .option('--since <date>', 'of a URL, take only what changed since, such as 2026-03-01')
      .option('--source-password-file <file>', 'file that holds the password for a URL without one')
      .option('--rejects <file>', 'import the good rows and write the others to this CSV file')
      .option('--round', 'round decimals beyond the sixth instead of refusing them')
      .option('--json', 'print one line of JSON'),
    'database',
  ).action(async (files, flags) => {
    const { importCommand } = await import('./commands/import-command.ts');
    await importCommand(files, flags);
  });
  withExamples(
    importing,
    'transactions import "2026-*.csv.gz"',
    'transactions import sales.csv --type sales --rejects rejected.csv',
    'zcat sales.ndjson.gz | transactions import -',
    "transactions import 'postgres://reader@host/shop?table=orders' --mapping orders.json --since 2026-03-01",
  );
  addTokenCommands(program.command('token').description('Make, list and revoke access tokens.'));
  withSettings(
    program
      .command('migrate')
      .description('Bring the database to this version.')
      .option('--cluster <name>', 'spread a new database over this cluster of ClickHouse servers'),
    'database',
  ).action(async (flags) => {
    const { migrateCommand } = await import('./commands/migrate-command.ts');
    await migrateCommand(flags);
  });
  withSettings(
    program.command('check').description('Show the effective settings and try the database.'),
    'host',
    'port',
    'database',
    'basePath',
  ).action(async (flags) => {
    const { checkCommand } = await import('./commands/check-command.ts');
    await checkCommand(flags);
  });
  withSettings(
    program
      .command('demo')
      .description('Fill a database with a year of a believable platform and serve it.')
      .option('--rows <count>', `how many transactions (else ${DEMO_ROWS})`),
    'host',
    'port',
    'database',
    'basePath',
  ).action(async (flags) => {
    const { demoCommand } = await import('./commands/demo-command.ts');
    await demoCommand({ rows: DEMO_ROWS, ...flags });
  });
  return withHelpAfterError(program);
}

function addTokenCommands(token: Command): void {
  const creating = withSettings(
    token
      .command('create')
      .description('Make an access token; it is shown once.')
      .requiredOption('--role <role>', 'admin or affiliate')
      .option('--publisher <id>', "an affiliate's website, or several: 345,346", collect)
      .option('--program <id>', 'limit the token to this program, or several: 12,13', collect)
      .option('--locale <locale>', 'language of the labels: fr, en, de, es, it, nl, pt')
      .option('--name <text>', 'whom or what the token is for')
      .option('--expires <time>', 'how long it is valid: 90d, 12h, 30m, 60s or never (else 90d)')
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
  );
  withSettings(
    token
      .command('list')
      .description('List all tokens.')
      .option('--json', 'print one line of JSON'),
    'database',
  ).action(async (flags) => {
    const { listTokensCommand } = await import('./commands/token-commands.ts');
    await listTokensCommand(flags);
  });
  withSettings(
    token
      .command('revoke')
      .description('Revoke a token, within 5 seconds on every server.')
      .argument('<id>', 'the id of the token, as `token list` shows it')
      .option('--json', 'print one line of JSON'),
    'database',
  ).action(async (id, flags) => {
    const { revokeTokenCommand } = await import('./commands/token-commands.ts');
    await revokeTokenCommand(id, flags);
  });
}

/** Runs the command line; errors go to standard error with what to type next. */
export async function main(args: readonly string[]): Promise<void> {
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
        ? 'Nothing was imported. Mend the file and import it again; the columns are listed in docs/reference/fields.md.'
        : 'See the settings and the state of the database with: transactions check';
  return `${colors.red('error:')} ${printable(message)}\n${printable(next)}`;
}
