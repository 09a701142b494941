/** Runs an import of files and sources: opens the operator, reads the inputs, shows progress and handles signals. */

import { rm } from 'node:fs/promises';
import type { SourceAddress } from '../../../connectors/source-address.ts';
import { isSourceUrl } from '../../../connectors/source-url.ts';
import { openOperator } from '../../../control/open-operator.ts';
import { ImportAborted, type ImportOptions, type Operator } from '../../../control/operator.ts';
import { withDiskFullError } from '../../../disk/disk-space.ts';
import type { StatedDialect } from '../../../ingest/dialect/dialect.ts';
import type { ImportFile } from '../../../ingest/files/import-file.ts';
import type { ExpectedRows } from '../../../ingest/files/known-columns.ts';
import type { Mapping } from '../../../ingest/files/mapping.ts';
import { databaseSettings } from '../../inputs/database-settings.ts';
import { type DialectFlags, readDialectFlags } from '../../inputs/dialect-flags.ts';
import {
  newSourcesPath,
  readSources,
  type SourceFlags,
  sourceAddresses,
} from '../../inputs/import-sources.ts';
import { type InputFile, inputFiles, spoolToFile } from '../../inputs/input-files.ts';
import { readMappingFile } from '../../inputs/mapping-file.ts';
import { settleTimeZone } from '../../inputs/new-time-zone.ts';
import { type Flags, readSettings } from '../../inputs/settings.ts';
import { interruptible } from '../../interruptible.ts';
import { progressBar } from '../../output/progress-bar.ts';

export interface InputFlags extends Flags, SourceFlags, DialectFlags {
  readonly mapping?: string;
  readonly suggestMapping?: string;
  readonly json?: boolean;
}

/** The files and sources of an import, and how to read them. */
export interface Inputs {
  readonly files: readonly InputFile[];
  readonly sources: readonly SourceAddress[];
  readonly mapping: Mapping | undefined;
  /** What flags and the mapping say about the dialect of all files and objects. */
  readonly dialect: StatedDialect;
  readonly expected: ExpectedRows;
}

/** Throws a UserError for arguments that are not understood. */
export async function readInputs(
  patterns: readonly string[],
  flags: InputFlags,
  expected: ExpectedRows,
): Promise<Inputs> {
  const stated = readDialectFlags(flags);
  const file = flags.mapping && (await readMappingFile(flags.mapping, expected));
  const { mapping, dialect } = file || {};
  return {
    sources: await sourceAddresses(patterns, flags),
    files: await inputFiles(patterns.filter((pattern) => !isSourceUrl(pattern))),
    mapping,
    dialect: { ...dialect, ...stated },
    expected,
  };
}

interface ImportSteps {
  readonly operator: Operator;
  readonly options: Pick<ImportOptions, 'signal' | 'onProgress'>;
  /**
   * Reads sources and pipes into files, which are removed after the import. `since` replaces the flag: sources then
   * send only what has changed since.
   */
  readonly readFiles: (since?: string) => Promise<readonly ImportFile[]>;
}

export async function runImport<Report>(
  flags: InputFlags,
  inputs: Inputs,
  run: (steps: ImportSteps) => Promise<Report>,
): Promise<Report> {
  const given = await settleTimeZone(readSettings(flags, process.env));
  const settings = await databaseSettings(given);
  return await interruptible(
    () => new ImportAborted(),
    async (signal) => {
      const operator = await openOperator(settings);
      try {
        return await follow(operator, flags, inputs, signal, run);
      } finally {
        await operator.close();
      }
    },
  );
}

async function follow<Report>(
  operator: Operator,
  flags: InputFlags,
  inputs: Inputs,
  signal: AbortSignal,
  run: (steps: ImportSteps) => Promise<Report>,
): Promise<Report> {
  const { mapping, dialect, expected } = inputs;
  const spooled: InputFile[] = [];
  const directory = newSourcesPath(operator);
  const bar = progressBar(flags.json === true);
  const readFiles = async (since = flags.since) => {
    const wishes = { mapping, ...expected, since };
    const onProgress = (bytes: number) => bar?.read(bytes);
    const read = await readSources(inputs.sources, wishes, operator, directory, {
      signal,
      onProgress,
    });
    const files: ImportFile[] = [];
    for (const input of inputs.files) {
      const file = input.isStream
        ? await spoolToFile(input, operator.workDirectory, signal)
        : input;
      if (input.isStream) spooled.push(file);
      files.push({ path: file.path, name: file.name, mapping });
    }
    return [...files, ...read].map((file) => withDialect(file, dialect));
  };
  try {
    const options = { signal, onProgress: (part: number) => bar?.update(part) };
    const read = async (since?: string) =>
      await withDiskFullError(operator.workDirectory, readFiles(since));
    return await run({ operator, options, readFiles: read });
  } finally {
    bar?.stop();
    for (const { path } of spooled) await rm(path, { force: true });
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * The file of a table has a dialect already, whose typed columns a decimal comma would change. Omits an empty dialect,
 * because a server of an older version does not know the member.
 */
function withDialect(file: ImportFile, dialect: StatedDialect): ImportFile {
  if (Object.keys(dialect).length === 0) return file;
  if (file.dialect === undefined) return { ...file, dialect };
  const { dates, decimal } = dialect;
  const harmless = { ...(dates && { dates }), ...(decimal === '.' && { decimal }) };
  return { ...file, dialect: { ...file.dialect, ...harmless } };
}
