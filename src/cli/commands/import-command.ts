/** `transactions import`: imports files and sources, and prints a report. */

import { rm } from 'node:fs/promises';
import type { SourceAddress } from '../../connectors/source-address.ts';
import { isSourceUrl } from '../../connectors/source-url.ts';
import { suggestionFor } from '../../contract/query/suggestion.ts';
import { isKind, KINDS, type Kind } from '../../contract/record/kinds.ts';
import { openOperator } from '../../control/open-operator.ts';
import type { Operator } from '../../control/operator.ts';
import type { Mapping } from '../../ingest/files/mapping.ts';
import type { ImportReport } from '../../ingest/import-report.ts';
import { UserError } from '../../user-error.ts';
import { databaseSettings } from '../inputs/database-settings.ts';
import {
  readSources,
  type SourceFlags,
  sourceAddresses,
  sourceDirectory,
} from '../inputs/import-sources.ts';
import { type InputFile, inputFiles, spoolToFile } from '../inputs/input-files.ts';
import { readMappingFile } from '../inputs/mapping-file.ts';
import { type Flags, readSettings } from '../inputs/settings.ts';
import { importReportText } from '../output/import-report-text.ts';
import { progressBar } from '../output/progress-bar.ts';
import { openRejects } from '../output/rejects-file.ts';

interface ImportFlags extends Flags, SourceFlags {
  readonly type?: string;
  readonly mapping?: string;
  readonly rejects?: string;
  readonly round?: boolean;
  readonly json?: boolean;
}

/** The files and sources of an import, and how to read them. */
interface Inputs {
  readonly files: readonly InputFile[];
  readonly sources: readonly SourceAddress[];
  readonly type: Kind | undefined;
  readonly mapping: Mapping | undefined;
}

/** Imports files and sources. The exit code is 1 if rows were rejected. */
export async function importCommand(
  patterns: readonly string[],
  flags: ImportFlags,
): Promise<void> {
  const settings = await databaseSettings(readSettings(flags, process.env));
  const inputs = await readInputs(patterns, flags);
  const leaving = new AbortController();
  const interrupt = () =>
    leaving.abort(
      new UserError('Interrupted: nothing was imported.', 'Run the same command again.'),
    );
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const operator = await openOperator(settings);
  try {
    const report = await run(operator, inputs, flags, leaving.signal);
    console.log(
      flags.json ? JSON.stringify(summaryOf(report)) : importReportText(report, flags.rejects),
    );
    if (report.rejected > 0) process.exitCode = 1;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    await operator.close();
  }
}

async function readInputs(patterns: readonly string[], flags: ImportFlags): Promise<Inputs> {
  const type = readType(flags.type);
  const mapping = flags.mapping && (await readMappingFile(flags.mapping, type !== undefined));
  return {
    sources: await sourceAddresses(patterns, flags),
    files: await inputFiles(patterns.filter((pattern) => !isSourceUrl(pattern))),
    type,
    mapping: mapping || undefined,
  };
}

async function run(
  operator: Operator,
  inputs: Inputs,
  flags: ImportFlags,
  signal: AbortSignal,
): Promise<ImportReport> {
  await using rejects =
    flags.rejects === undefined ? null : await openRejects(flags.rejects, inputs.files);
  const { type, mapping } = inputs;
  const kept: InputFile[] = [];
  const directory = sourceDirectory(operator);
  const bar = progressBar(flags.json === true);
  try {
    const wishes = { mapping, typeGiven: type !== undefined, since: flags.since };
    const read = await readSources(inputs.sources, wishes, operator, directory, {
      signal,
      onProgress: (bytes) => bar?.read(bytes),
    });
    for (const input of inputs.files) {
      kept.push(input.isStream ? await spoolToFile(input, operator.workDirectory, signal) : input);
    }
    const files = [...kept.map(({ path, name }) => ({ path, name, mapping })), ...read];
    const command = { files, type, round: flags.round === true, rejects: rejects !== null };
    return await operator.importFiles(command, {
      signal,
      onProgress: (part) => bar?.update(part),
      onRejected: async (csv) => await rejects?.write(csv),
    });
  } finally {
    bar?.stop();
    for (const [at, { path }] of kept.entries()) {
      if (inputs.files[at]?.isStream) await rm(path, { force: true });
    }
    await rm(directory, { recursive: true, force: true });
  }
}

function readType(text: string | undefined): Kind | undefined {
  if (text === undefined || isKind(text)) return text;
  throw new UserError(
    `--type must be one of ${KINDS.join(', ')}.${suggestionFor(text, KINDS)}`,
    `transactions import FILE --type ${KINDS.at(-1)}`,
  );
}

const summaryOf = (report: ImportReport) => ({
  id: report.id,
  files: report.files,
  rows: report.rows,
  imported: report.imported,
  rejected: report.rejected,
  emptied: report.emptied,
  removed: report.removed,
  seconds: Math.round(report.seconds * 1000) / 1000,
  rows_per_second: Math.round(report.rows / report.seconds),
  reasons: report.reasons,
  faults: report.faults,
});
