/** Defines the commands `transactions directory import` and `export`. */

import type { Command } from 'commander';
import { withExamples, withSettings } from './command-flags.ts';
import { withDialect } from './inputs/dialect-flags.ts';

const OF = 'what the entries are: programs, publishers or supports';

export function addDirectoryCommands(program: Command): void {
  const directory = program
    .command('directory')
    .description('Import and export the names of programs, publishers and supports.');
  const importing = withSettings(
    withDialect(
      directory
        .command('import')
        .description('Import entries from files, or tables of other databases: all or none.')
        .argument(
          '<file...>',
          'CSV, NDJSON or Parquet files with the columns id, name, url, status, category; - for standard input, or URLs: postgres://, mysql://, s3://',
        )
        .requiredOption('--of <what>', OF)
        .option(
          '--mapping <file>',
          'JSON file that maps columns to id, name, url, status and category, and codes to values',
        ),
    )
      .option('--replace', 'remove the entries that the files do not have')
      .option('--source-password-file <file>', 'file with the password, for URLs without one')
      .option('--json', 'print one line of JSON'),
    'database',
    'timeZone',
  ).action(async (files, flags) => {
    const { importDirectoryCommand } = await import('./commands/directory-commands.ts');
    await importDirectoryCommand(files, flags);
  });
  withExamples(
    importing,
    'transactions directory import programs.csv --of programs',
    'transactions directory import websites.ndjson --of publishers --replace',
    "transactions directory import 'postgres://reader@host/shop?table=campaigns' --of programs --mapping programs.json",
  );
  const exporting = withSettings(
    directory
      .command('export')
      .description('Print all entries, as files that can be imported again.')
      .requiredOption('--of <what>', OF)
      .option('--format <format>', 'csv or ndjson', 'csv'),
    'database',
  ).action(async (flags) => {
    const { exportDirectoryCommand } = await import('./commands/directory-commands.ts');
    await exportDirectoryCommand(flags);
  });
  withExamples(exporting, 'transactions directory export --of programs > programs.csv');
}
