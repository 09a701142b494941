/** `transactions import DIRECTORY --watch`: imports files that arrive in a directory, one after the other. */

import { ImportRefused } from '../../ingest/import-refused.ts';
import { UserError } from '../../user-error.ts';
import { type ImportFlags, importOnce } from '../commands/importing/import-command.ts';
import { importReportText } from '../output/import-report-text.ts';
import { printable, printableLine } from '../output/printable.ts';
import { readInterval } from './interval.ts';
import { CORRECT_FILE_ADVICE, failureText, roundText } from './round-text.ts';
import { repeat, stopSignal } from './rounds.ts';
import { WatchedDirectory } from './watched-directory.ts';

export interface WatchFlags extends ImportFlags {
  readonly every?: string;
  readonly state?: string;
  readonly overlap?: string;
}

const USUAL_INTERVAL = '5s';

/** Ends when the process is told to stop. Throws if the first round fails: the directory may be wrong. */
export async function watchDirectory(
  directories: readonly string[],
  flags: WatchFlags,
): Promise<void> {
  const spool = new WatchedDirectory(watchedDirectory(directories, flags));
  const signal = stopSignal();
  await repeat({
    every: readInterval(flags.every ?? USUAL_INTERVAL, '--every'),
    signal,
    round: async () => {
      await spool.takeArrived();
      for (const name of await spool.taken()) {
        if (signal.aborted) return;
        await importTaken(spool, name, flags);
      }
    },
    onFailure: (error, delay) => console.error(failureText(error, undefined, delay)),
  });
}

function watchedDirectory(
  [directory, ...others]: readonly string[],
  { rejects, since, state, overlap }: WatchFlags,
): string {
  const given = Object.entries({ rejects, since, state, overlap });
  const [flag] = given.find(([, text]) => text !== undefined) ?? [];
  if (flag !== undefined) {
    throw new UserError(
      `--${flag} cannot be used with --watch.`,
      flag === 'rejects'
        ? 'Leave it out: a refused file moves to the folder refused, with the reasons beside it.'
        : 'Leave it out: --since, --state and --overlap are for databases and buckets.',
    );
  }
  if (directory !== undefined && others.length === 0) return directory;
  throw new UserError(
    '--watch imports the files of one directory.',
    'transactions import incoming --watch',
  );
}

/**
 * Imports a file, then accepts or refuses it. A file that changed during its import is imported again in the
 * next round. Importing the same rows twice changes nothing.
 */
async function importTaken(
  spool: WatchedDirectory,
  name: string,
  flags: WatchFlags,
): Promise<void> {
  const before = await spool.stateOf(name);
  if (before === undefined) return await spool.refuse(name, 'This is not a regular file.');
  const report = await importOnce([spool.pathOf(name)], flags).catch((error: unknown) => {
    if (error instanceof ImportRefused) return error;
    throw error;
  });
  if ((await spool.stateOf(name)) !== before) return;
  if (report instanceof ImportRefused) {
    const shown = printableLine(name);
    const reasons = report.message.replaceAll(spool.pathOf(name), () => shown);
    console.error(`${shown}: ${printable(reasons)}`);
    return await spool.refuse(name, report.message);
  }
  console.log(roundText(report, { file: name }, flags));
  if (report.rejected === 0) await spool.accept(name);
  else await spool.refuse(name, importReportText(report, { advice: CORRECT_FILE_ADVICE }));
}
