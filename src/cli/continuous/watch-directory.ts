/**
 * `transactions import DIRECTORY --watch`: imports files that arrive in a directory, one after the other.
 *
 * An imported file moves to the folder `imported`, and a refused one to `refused` with the reasons beside
 * it. A file that is imported but not yet moved when the process is killed is imported again, which
 * changes nothing.
 */

import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ImportRefused } from '../../ingest/import-refused.ts';
import { UserError } from '../../user-error.ts';
import { type ImportFlags, importOnce } from '../commands/importing/import-command.ts';
import { importReportText } from '../output/import-report-text.ts';
import { readInterval } from './interval.ts';
import { failureText, roundText } from './round-text.ts';
import { repeat, untilStopped } from './rounds.ts';

export interface WatchFlags extends ImportFlags {
  readonly every?: string;
  readonly state?: string;
}

const USUAL_INTERVAL = '5s';

/** Names of files that are still being written, by the habits of programs that copy files. */
const UNFINISHED = /^\.|(?:\.(?:part|partial|tmp|filepart|crdownload)|~)$/i;

export async function watchDirectory(
  directories: readonly string[],
  flags: WatchFlags,
): Promise<void> {
  const directory = readDirectory(directories, flags);
  const every = readInterval(flags.every ?? USUAL_INTERVAL, '--every');
  const sizes = new Map<string, string>();
  const signal = untilStopped();
  await repeat({
    every,
    signal,
    round: async () => {
      for (const name of await arrivedFiles(directory, sizes)) {
        if (signal.aborted) return;
        await importArrived(directory, name, flags);
      }
    },
    onFailure: (error, delay) => console.error(failureText(error, undefined, delay)),
  });
}

function readDirectory(
  [directory, ...others]: readonly string[],
  { rejects, since, state }: WatchFlags,
): string {
  const [flag] =
    Object.entries({ rejects, since, state }).find(([, text]) => text !== undefined) ?? [];
  if (flag !== undefined) {
    throw new UserError(
      `--${flag} cannot be used with --watch.`,
      'Leave it out: a refused file moves to the folder refused, with the reasons beside it.',
    );
  }
  if (directory !== undefined && others.length === 0) return directory;
  throw new UserError(
    '--watch imports the files of one directory.',
    'transactions import incoming --watch',
  );
}

/** The files whose size and date are the same as in the round before, so that their writer has ended. */
async function arrivedFiles(
  directory: string,
  sizes: Map<string, string>,
): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((cause: unknown) => {
    const next = `Create it: mkdir ${directory}`;
    throw new UserError(`The directory ${directory} cannot be read.`, next, { cause });
  });
  const before = new Map(sizes);
  sizes.clear();
  for (const entry of entries) {
    if (!entry.isFile() || UNFINISHED.test(entry.name)) continue;
    const found = await stat(join(directory, entry.name)).catch(() => undefined);
    if (found !== undefined) sizes.set(entry.name, `${found.size} ${found.mtimeMs}`);
  }
  return [...sizes].flatMap(([name, size]) => (before.get(name) === size ? [name] : [])).sort();
}

async function importArrived(directory: string, name: string, flags: WatchFlags): Promise<void> {
  const path = join(directory, name);
  const report = await importOnce([path], flags).catch((error: unknown) => {
    if (error instanceof ImportRefused) return error;
    throw error;
  });
  if (report instanceof ImportRefused) {
    console.error(`${name}: ${report.message}`);
    return await moveTo(directory, 'refused', name, report.message);
  }
  console.log(roundText(report, { file: name }, flags));
  if (report.rejected === 0) return await moveTo(directory, 'imported', name);
  await moveTo(directory, 'refused', name, importReportText(report, undefined));
}

/** Never replaces a file: one of the same name that came before keeps its place. */
async function moveTo(
  directory: string,
  folder: 'imported' | 'refused',
  name: string,
  reasons?: string,
): Promise<void> {
  const target = join(directory, folder);
  await mkdir(target, { recursive: true });
  const free = await freeName(target, name);
  if (reasons !== undefined) await writeFile(join(target, `${free}.txt`), `${reasons}\n`);
  await rename(join(directory, name), join(target, free));
}

async function freeName(directory: string, name: string): Promise<string> {
  const taken = new Set(await readdir(directory));
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${stem}-${number}${extension}`;
    if (!taken.has(candidate)) return candidate;
  }
}
