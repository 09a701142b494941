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
  const every = readInterval(flags.every ?? USUAL_INTERVAL, '--every');
  const onFailure = (error: unknown, delay: number) =>
    console.error(failureText(error, undefined, delay));
  await repeat({
    every,
    signal,
    round: async () => {
      const failures = [...(await spool.takeArrived()), ...(await importAll(spool, flags, signal))];
      // Not thrown: the pauses after failed rounds grow, and the other files would wait.
      for (const failure of failures) onFailure(failure, every);
    },
    onFailure,
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
 * Imports the taken files in their order. A file that cannot be imported at the moment ends the round, because the
 * order decides between two versions. Returns the errors of files that cannot be moved afterwards: they do not keep the
 * others waiting.
 */
async function importAll(
  spool: WatchedDirectory,
  flags: WatchFlags,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (const name of await spool.taken()) {
    if (signal.aborted) break;
    const move = await imported(spool, name, flags);
    await move?.().catch((error: unknown) => failures.push(error));
  }
  return failures;
}

/**
 * Imports a file, and returns the function that accepts or refuses it. None for a file that changed during its import:
 * it is imported again in the next round. Importing the same rows twice changes nothing.
 */
async function imported(
  spool: WatchedDirectory,
  name: string,
  flags: WatchFlags,
): Promise<(() => Promise<void>) | undefined> {
  const before = await spool.stateOf(name);
  const refuse = (reasons: string) => async () => await spool.refuse(name, reasons);
  if (before === undefined) return refuse('This is not a regular file.');
  const report = await importOnce([spool.pathOf(name)], flags).catch((error: unknown) => {
    if (error instanceof ImportRefused) return error;
    throw error;
  });
  if ((await spool.stateOf(name)) !== before) return undefined;
  if (report instanceof ImportRefused) {
    const shown = printableLine(name);
    const reasons = printable(report.message.replaceAll(spool.pathOf(name), () => shown));
    console.error(`${shown}: ${reasons}`);
    return refuse(reasons);
  }
  console.log(roundText(report, { file: name }, flags));
  return report.rejected === 0
    ? async () => await spool.accept(name)
    : refuse(importReportText(report, { advice: CORRECT_FILE_ADVICE }));
}
