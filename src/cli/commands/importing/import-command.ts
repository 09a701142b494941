/** `transactions import`: imports files and sources, and prints a report. */

import { suggestionFor } from '../../../contract/query/suggestion.ts';
import { isKind, KINDS, type Kind } from '../../../contract/record/kinds.ts';
import type { Operator } from '../../../control/operator.ts';
import type { ExpectedRows } from '../../../ingest/files/known-columns.ts';
import type { ImportReport } from '../../../ingest/import-report.ts';
import { UserError } from '../../../user-error.ts';
import { readSettings } from '../../inputs/settings.ts';
import { importReportText } from '../../output/import-report-text.ts';
import { openRejects } from '../../output/rejects-file.ts';
import { type InputFlags, readInputs, runImport } from './run-import.ts';
import { suggestMappingCommand } from './suggest-mapping.ts';

export interface ImportFlags extends InputFlags {
  readonly type?: string;
  readonly rejects?: string;
  readonly round?: boolean;
}

/** Imports files and sources, and prints a report. The exit code is 1 if rows were rejected. */
export async function importCommand(
  patterns: readonly string[],
  flags: ImportFlags,
): Promise<void> {
  const { suggestMapping } = flags;
  if (suggestMapping !== undefined) {
    readSettings(flags, process.env);
    const type = readType(flags.type);
    const chosen = type === undefined ? '' : ` --type ${type}`;
    return await suggestMappingCommand(
      patterns,
      suggestMapping,
      flags,
      expectedOf(type),
      (file) => `transactions import ${file}${chosen}`,
    );
  }
  const report = await importOnce(patterns, flags);
  console.log(
    flags.json ? JSON.stringify(importReportJson(report)) : importReportText(report, flags),
  );
  if (report.rejected > 0) process.exitCode = 1;
}

/**
 * Imports files and sources in one import. Without the flag `rejects`, one wrong row means that nothing is imported.
 *
 * `sinceOf` is called once the database is open. What it returns replaces the flag `since`.
 */
export async function importOnce(
  patterns: readonly string[],
  flags: ImportFlags,
  sinceOf: (operator: Operator) => Promise<string | undefined> = async () => flags.since,
): Promise<ImportReport> {
  const { type, inputs } = await readImport(patterns, flags);
  return await runImport(flags, inputs, async ({ operator, options, readFiles }) => {
    await using rejects =
      flags.rejects === undefined
        ? null
        : await openRejects(flags.rejects, { inputs: inputs.files, mapping: flags.mapping });
    const files = await readFiles(await sinceOf(operator));
    const command = { files, type, round: flags.round === true, rejects: rejects !== null };
    return await operator.importFiles(command, {
      ...options,
      onRejected: async (csv) => await rejects?.write(csv),
    });
  });
}

/** Throws a UserError for arguments, flags and settings that are not understood. */
export async function readImport(patterns: readonly string[], flags: ImportFlags) {
  readSettings(flags, process.env);
  const type = readType(flags.type);
  return { type, inputs: await readInputs(patterns, flags, expectedOf(type)) };
}

const expectedOf = (type: Kind | undefined): ExpectedRows => ({
  rows: 'transactions',
  typeGiven: type !== undefined,
});

function readType(text: string | undefined): Kind | undefined {
  if (text === undefined || isKind(text)) return text;
  throw new UserError(
    `--type must be one of ${KINDS.join(', ')}.${suggestionFor(text, KINDS)}`,
    `transactions import FILE --type ${KINDS.at(-1)}`,
  );
}

/** The JSON that `--json` prints. */
export const importReportJson = (report: ImportReport) => ({
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
