/** `transactions directory import` and `export`: names of programs, publishers and supports. */

import { suggestionFor } from '../../contract/query/suggestion.ts';
import { DIRECTORIES, type DirectoryName } from '../../contract/record/directory.ts';
import { UserError } from '../../user-error.ts';
import { type Flags, readSettings } from '../inputs/settings.ts';
import { DIRECTORY_FORMATS, directoryText } from '../output/directory-text.ts';
import { directoryReportText } from '../output/import-report-text.ts';
import { printAll } from '../output/print-all.ts';
import { type InputFlags, readInputs, runImport } from './importing/run-import.ts';
import { suggestMappingCommand } from './importing/suggest-mapping.ts';
import { withOperator } from './with-operator.ts';

interface DirectoryImportFlags extends InputFlags {
  readonly of: string;
  readonly replace?: boolean;
}

/** The exit code is 1 if rows were rejected. */
export async function importDirectoryCommand(
  patterns: readonly string[],
  flags: DirectoryImportFlags,
): Promise<void> {
  readSettings(flags, process.env);
  const of = readOneOf('--of', flags.of, DIRECTORIES);
  const expected = { rows: 'directory', typeGiven: false } as const;
  if (flags.suggestMapping !== undefined) {
    const importing = (file: string) => `transactions directory import ${file} --of ${of}`;
    return await suggestMappingCommand(patterns, flags.suggestMapping, flags, expected, importing);
  }
  const inputs = await readInputs(patterns, flags, expected);
  const report = await runImport(flags, inputs, async ({ operator, options, readFiles }) => {
    const command = { of, files: await readFiles(), replace: flags.replace === true };
    return await operator.importDirectory(command, options);
  });
  const { id, files, rows, imported, rejected, deleted, reasons, faults } = report;
  const summary = { id, files, rows, imported, rejected, deleted, reasons, faults };
  console.log(flags.json ? JSON.stringify(summary) : directoryReportText(report, of));
  if (rejected > 0) process.exitCode = 1;
}

interface DirectoryExportFlags extends Flags {
  readonly of: string;
  readonly format: string;
}

export async function exportDirectoryCommand(flags: DirectoryExportFlags): Promise<void> {
  const of: DirectoryName = readOneOf('--of', flags.of, DIRECTORIES);
  const format = readOneOf('--format', flags.format, DIRECTORY_FORMATS);
  await withOperator(
    flags,
    async (operator) => await printAll(directoryText(operator.directoryLines(of), format)),
  );
}

function readOneOf<Word extends string>(flag: string, text: string, words: readonly Word[]): Word {
  const word = words.find((known) => known === text);
  if (word !== undefined) return word;
  throw new UserError(
    `${flag} must be one of ${words.join(', ')}.${suggestionFor(text, words)}`,
    `Choose one: ${flag} ${words[0]}`,
  );
}
