/** `--suggest-mapping`: writes a mapping for a file, says what is left to do, and imports nothing. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import colors from 'picocolors';
import { isSourceUrl } from '../../../connectors/source-url.ts';
import type { ExpectedRows } from '../../../ingest/files/known-columns.ts';
import {
  type FileSuggestion,
  suggestForFile,
} from '../../../ingest/suggestion/suggest-for-file.ts';
import { UserError } from '../../../user-error.ts';
import { type DialectFlags, readDialectFlags } from '../../inputs/dialect-flags.ts';
import { inputFiles } from '../../inputs/input-files.ts';
import { interruptible } from '../../interruptible.ts';
import { mappingText } from '../../output/mapping-text.ts';
import { printable } from '../../output/printable.ts';

/**
 * Writes the mapping to a new file. An existing one is not overwritten, because somebody may have completed it.
 *
 * `importing` returns the command that imports the file.
 */
export async function suggestMappingCommand(
  patterns: readonly string[],
  path: string,
  flags: DialectFlags,
  expected: ExpectedRows,
  importing: (file: string) => string,
): Promise<void> {
  const [file] = await inputFiles(patterns.filter((pattern) => !isSourceUrl(pattern)));
  if (file === undefined || file.isStream) {
    throw new UserError(
      '--suggest-mapping reads a file, not a pipe or another database.',
      'Name a CSV file: transactions import sales.csv --suggest-mapping mapping.json',
    );
  }
  const directory = await mkdtemp(join(tmpdir(), 'transactions-'));
  try {
    const named = { ...file, dialect: readDialectFlags(flags) };
    const suggestion = await interruptible(
      () => new UserError('Interrupted: no mapping was written.', 'Run the same command again.'),
      async (signal) => {
        const found = await suggestForFile(named, expected, directory, signal);
        signal.throwIfAborted();
        return found;
      },
    );
    await writeFile(path, mappingText(suggestion), { flag: 'wx', mode: 0o600 }).catch(
      (cause: NodeJS.ErrnoException) => {
        const reason = cause.code === 'EEXIST' ? 'it exists already' : cause.code;
        throw new UserError(
          `Cannot write ${path}: ${reason}.`,
          'Name another file: --suggest-mapping mapping-2.json',
          { cause },
        );
      },
    );
    console.log(summaryOf(suggestion, path, importing(file.name)));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const OTHER_GAP = 'no column. Add one to the mapping, or { "value": … } for all rows';

const GAPS: Readonly<Record<string, string>> = {
  type: 'no column. Name the type of all rows: --type sales',
  validation_date: 'no column. Every validated transaction must have this date',
};

function summaryOf(
  { mapping, missing, unused, doubts }: FileSuggestion,
  path: string,
  next: string,
): string {
  const found = Object.entries(mapping.fields).map(
    ([field, from]) => `  ${field} from "${'from' in from ? from.from : from.value}"`,
  );
  const gaps = missing.map((field) => `  ${field}: ${GAPS[field] ?? OTHER_GAP}`);
  const wrote = `Wrote ${path}. Nothing was imported. Check it before you use it:`;
  const others = [
    ...found,
    ...(gaps.length > 0 ? ['Required, and not found:', ...gaps] : []),
    ...(doubts.length > 0 ? ['Not certain:', ...doubts.map((doubt) => `  ${doubt}`)] : []),
    ...(unused.length > 0 ? [`Not used: ${unused.map((name) => `"${name}"`).join(', ')}`] : []),
    `Then: ${next} --mapping ${path}`,
  ];
  // Not the colour, which `printable` would escape.
  return `${colors.green(printable(wrote))}\n${printable(others.join('\n'))}`;
}
