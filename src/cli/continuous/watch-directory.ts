/** `transactions import DIRECTORY --watch`: imports files that arrive in a directory, one after the other. */

import { ImportRefused } from '../../ingest/import-refused.ts';
import { UserError } from '../../user-error.ts';
import { type ImportFlags, importOnce, readImport } from '../commands/importing/import-command.ts';
import { importReportText } from '../output/import-report-text.ts';
import { printable, printableLine } from '../output/printable.ts';
import { createIfNew } from './create-if-new.ts';
import { readInterval } from './interval.ts';
import {
  CORRECT_FILE_ADVICE,
  failureText,
  refusedText,
  roundText,
  unmovedText,
} from './round-text.ts';
import { repeat, stopSignal } from './rounds.ts';
import { type OnUnmoved, UnmovedFiles } from './unmoved-files.ts';
import { WatchedDirectory } from './watched-directory.ts';

export interface WatchFlags extends ImportFlags {
  readonly every?: string;
  readonly state?: string;
  readonly overlap?: string;
}

const USUAL_INTERVAL = '5s';

/** Ends when the process is told to stop. Throws if a flag is wrong, or if the first round fails. */
export async function watchDirectory(
  directories: readonly string[],
  flags: WatchFlags,
): Promise<void> {
  const spool = new WatchedDirectory(watchedDirectory(directories, flags));
  const every = readInterval(flags.every ?? USUAL_INTERVAL, '--every');
  await readImport([], flags);
  await spool.requireReadable();
  await createIfNew(flags);
  const signal = stopSignal();
  const onFailure = (error: unknown, delay: number) =>
    console.error(failureText(error, undefined, delay));
  const imported = new ImportedFiles(spool, flags);
  const unmoved = new UnmovedFiles((message) => console.error(unmovedText(message, every)));
  await repeat({
    every,
    signal,
    round: async () => {
      await spool.takeArrived(unmoved.add);
      await imported.importAll(signal, unmoved.add);
      unmoved.endRound();
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

/** What is left to do with a file whose import has ended. */
interface Outcome {
  /** The state of the file that was imported. */
  readonly state: string | undefined;
  /** Moves it to the folder of accepted or refused files. */
  readonly move: () => Promise<void>;
}

/** Imports the files that were taken, and moves them. */
class ImportedFiles {
  readonly #spool: WatchedDirectory;
  readonly #flags: WatchFlags;
  /** The files that could not be moved yet, by name. They are not imported again. */
  readonly #unmoved = new Map<string, Outcome>();

  constructor(spool: WatchedDirectory, flags: WatchFlags) {
    this.#spool = spool;
    this.#flags = flags;
  }

  /**
   * Imports the taken files in their order. A file that cannot be imported at the moment ends the round, because the
   * order decides between two versions.
   */
  async importAll(signal: AbortSignal, onUnmoved: OnUnmoved): Promise<void> {
    const taken = await this.#spool.taken();
    this.#forgetAllBut(taken);
    for (const name of taken) {
      if (signal.aborted) break;
      const outcome = (await this.#unmovedOf(name)) ?? (await this.#importFile(name));
      this.#unmoved.delete(name);
      await outcome?.move().catch((error: unknown) => {
        this.#unmoved.set(name, outcome);
        onUnmoved(name, error);
      });
    }
  }

  /** Forgets files that were removed by hand. */
  #forgetAllBut(taken: readonly string[]): void {
    for (const name of this.#unmoved.keys()) if (!taken.includes(name)) this.#unmoved.delete(name);
  }

  /** The outcome of a file that has not changed since its import. */
  async #unmovedOf(name: string): Promise<Outcome | undefined> {
    const outcome = this.#unmoved.get(name);
    const isSame = outcome?.state === (await this.#spool.stateOf(name));
    return isSame ? outcome : undefined;
  }

  /**
   * Imports a file. No outcome for a file that changed during its import: it is imported again in the next round.
   * Importing the same rows twice changes nothing.
   */
  async #importFile(name: string): Promise<Outcome | undefined> {
    const spool = this.#spool;
    const state = await spool.stateOf(name);
    const refused = (reasons: string) => ({
      state,
      move: async () => await spool.refuse(name, reasons),
    });
    if (state === undefined) return refused('This is not a regular file.');
    const report = await importOnce([spool.pathOf(name)], this.#flags).catch((error: unknown) => {
      if (error instanceof ImportRefused) return error;
      throw error;
    });
    if ((await spool.stateOf(name)) !== state) return undefined;
    if (report instanceof ImportRefused) {
      const shown = printableLine(name);
      const reasons = printable(report.message.replaceAll(spool.pathOf(name), () => shown));
      console.error(refusedText(shown, reasons));
      return refused(reasons);
    }
    console.log(roundText(report, { file: name }, this.#flags));
    return report.rejected === 0
      ? { state, move: async () => await spool.accept(name) }
      : refused(importReportText(report, { advice: CORRECT_FILE_ADVICE }));
  }
}
