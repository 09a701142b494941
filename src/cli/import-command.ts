/** `transactions import`: files in, a report out. */

import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import cliProgress from 'cli-progress';
import { glob, isDynamicPattern } from 'tinyglobby';
import { isKind, KINDS, type Kind } from '../contract/kinds.ts';
import { suggestionFor } from '../contract/suggestion.ts';
import type { ImportReport } from '../ingest/import-report.ts';
import { openOperator } from '../operator/open-operator.ts';
import type { Operator } from '../operator/operator.ts';
import { OperatorError } from '../operator/operator-error.ts';
import { importReportText } from './import-report-text.ts';
import { type Flags, readSettings } from './settings.ts';

export interface ImportFlags extends Flags {
  readonly type?: string;
  readonly rejects?: string;
  readonly round?: boolean;
  readonly json?: boolean;
}

/** The first line of a file of rejected rows; the file's own columns follow. */
const REJECTS_HEADER = 'file,line,reasons,row\r\n';

const STANDARD_INPUT = '-';

/** Imports the files that are named; the exit code is 1 where rows were refused. */
export async function importCommand(
  patterns: readonly string[],
  flags: ImportFlags,
): Promise<void> {
  const { database: url, timeZone } = readSettings(flags, process.env);
  const type = readType(flags.type);
  const paths = await expand(patterns);
  const operator = await openOperator({ url, timeZone });
  const leaving = new AbortController();
  const interrupt = () =>
    leaving.abort(
      new OperatorError('Interrupted: nothing was imported.', 'Run the same command again.'),
    );
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const report = await run(operator, paths, type, flags, leaving.signal);
    console.log(
      flags.json ? JSON.stringify(summaryOf(report)) : importReportText(report, flags.rejects),
    );
    if (report.rejected > 0) process.exitCode = 1;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    await operator.close();
  }
}

async function run(
  operator: Operator,
  paths: readonly string[],
  type: Kind | undefined,
  flags: ImportFlags,
  signal: AbortSignal,
): Promise<ImportReport> {
  const spooled: string[] = [];
  const bar = progressBar(flags.json === true);
  const rejects = flags.rejects === undefined ? undefined : await openRejects(flags.rejects);
  try {
    const files = [];
    for (const path of paths) {
      if (path === STANDARD_INPUT) spooled.push(await spool(operator.workDirectory, signal));
      files.push(
        path === STANDARD_INPUT
          ? { path: spooled.at(-1) ?? '', name: 'standard input' }
          : { path: resolve(path), name: path },
      );
    }
    const order = { files, type, round: flags.round === true, rejects: rejects !== undefined };
    return await operator.importFiles(order, {
      signal,
      onProgress: (part) => bar?.update(part),
      onRejected: async (csv) => void (await rejects?.write(csv)),
    });
  } finally {
    bar?.stop();
    await rejects?.close();
    for (const path of spooled) await rm(path, { force: true });
  }
}

function readType(text: string | undefined): Kind | undefined {
  if (text === undefined || isKind(text)) return text;
  throw new OperatorError(
    `--type must be one of ${KINDS.join(', ')}.${suggestionFor(text, KINDS)}`,
    `transactions import FILE --type ${KINDS.at(-1)}`,
  );
}

async function expand(patterns: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    patterns.map(async (pattern) => {
      if (pattern === STANDARD_INPUT || !isDynamicPattern(pattern)) return [pattern];
      const paths = (await glob(pattern, { absolute: false })).sort();
      if (paths.length > 0) return paths;
      throw new OperatorError(`No file matches ${pattern}.`, 'Look at what is there: ls');
    }),
  );
  return [...new Set(found.flat())];
}

/** Standard input is kept in a file until it is imported: the checks may have to read it twice. */
async function spool(directory: string, signal: AbortSignal): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, `${randomBytes(8).toString('hex')}.input`);
  await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }), { signal });
  return path;
}

async function openRejects(path: string) {
  const file = await open(path, 'w', 0o600).catch((cause: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `Cannot write ${path}: ${cause.code}.`,
      'Name another file: --rejects rejected.csv',
      { cause },
    );
  });
  await file.write(REJECTS_HEADER);
  return file;
}

function progressBar(isQuiet: boolean) {
  if (isQuiet || !process.stderr.isTTY) return undefined;
  const bar = new cliProgress.SingleBar(
    {
      format: 'importing {bar} {percentage} % after {duration_formatted}',
      hideCursor: true,
      clearOnComplete: true,
    },
    cliProgress.Presets.shades_grey,
  );
  bar.start(1, 0);
  return bar;
}

const summaryOf = (report: ImportReport) => ({
  id: report.id,
  files: report.files,
  rows: report.rows,
  imported: report.imported,
  rejected: report.rejected,
  seconds: Math.round(report.seconds * 1000) / 1000,
  rows_per_second: Math.round(report.rows / report.seconds),
  reasons: report.reasons,
  faults: report.faults,
});
