/** Defines `transactions import`. */

import type { Command } from 'commander';
import { UserError } from '../user-error.ts';
import { withExamples, withSettings } from './command-flags.ts';
import { withDialect } from './inputs/dialect-flags.ts';

/** How far `--every` goes back before the last round, by default. */
const OVERLAP = '10m';

export function addImportCommand(program: Command): void {
  const importing = withSettings(
    withDialect(
      program
        .command('import')
        .description('Import files, or tables of other databases: all rows or none.')
        .argument(
          '<file...>',
          'CSV, NDJSON or Parquet files (plain, gzip or zstd), patterns such as "2026-*.csv.gz", - for standard input, or URLs: postgres://, mysql://, s3://',
        )
        .option('--type <type>', 'the type of all rows, if the files have no column for it')
        .option('--mapping <file>', 'JSON file that maps columns to fields, and codes to values'),
    )
      .option(
        '--since <date>',
        'import only what has changed since this date, such as 2026-03-01; for URLs only',
      )
      .option('--source-password-file <file>', 'file with the password, for URLs without one')
      .option('--rejects <file>', 'import the valid rows and write the others to this CSV file')
      .option(
        '--round',
        'round numbers to six decimals, and cut off fractions of a second, instead of refusing such rows',
      )
      .option(
        '--every <time>',
        'how often to import what has changed in URLs, such as 1m; with --watch, how often to look for files (else 5s)',
      )
      .option(
        '--overlap <time>',
        `how far --every goes back before its last round (else ${OVERLAP})`,
      )
      .option(
        '--state <file>',
        'file in which --every stores its progress, so that the next start continues from it',
      )
      .option('--watch', 'import the files that arrive in a directory, until it is stopped')
      .option('--json', 'print one line of JSON'),
    'database',
    'timeZone',
  ).action(async (files, flags) => {
    if (flags.suggestMapping !== undefined && (flags.watch === true || flags.every !== undefined)) {
      throw new UserError(
        '--suggest-mapping cannot be used with --watch or --every: it imports nothing.',
        'First write the mapping from one file, then import with --mapping FILE.',
      );
    }
    if (flags.watch === true) {
      const { watchDirectory } = await import('./continuous/watch-directory.ts');
      return await watchDirectory(files, flags);
    }
    if (flags.every !== undefined) {
      const { importEvery } = await import('./continuous/import-every.ts');
      return await importEvery(files, { overlap: OVERLAP, ...flags });
    }
    if (flags.state !== undefined || flags.overlap !== undefined) {
      throw new UserError(
        '--state and --overlap belong to a continuous import.',
        'Add --every 1m, or leave them out.',
      );
    }
    const { importCommand } = await import('./commands/importing/import-command.ts');
    await importCommand(files, flags);
  });
  withExamples(
    importing,
    'transactions import "2026-*.csv.gz"',
    'transactions import sales.csv --type sales --rejects rejected.csv',
    'zcat sales.ndjson.gz | transactions import -',
    "transactions import 'postgres://reader@host/shop?table=orders' --mapping orders.json --since 2026-03-01",
    "transactions import 'postgres://reader@host/shop?table=orders' --mapping orders.json --every 1m --state orders.state",
    'transactions import incoming --watch --type sales',
  );
}
