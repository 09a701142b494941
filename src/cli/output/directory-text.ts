/** Formats entries of the directory as files that can be imported again. */

import { DIRECTORY_FIELDS } from '../../contract/record/directory.ts';
import { readJson } from '../../read-json.ts';
import { DIRECTORY_ENTRY } from '../../store/directory-entries.ts';
import { csvLine } from './csv-line.ts';

export const DIRECTORY_FORMATS = ['csv', 'ndjson'] as const;

type DirectoryFormat = (typeof DIRECTORY_FORMATS)[number];

/** The lines are entries as JSON. */
export async function* directoryText(
  lines: AsyncIterable<string>,
  format: DirectoryFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(DIRECTORY_FIELDS.map(({ name }) => name));
  for await (const line of lines) yield format === 'csv' ? csvOf(line) : `${line}\n`;
}

function csvOf(line: string): string {
  const entry = readJson(DIRECTORY_ENTRY, line);
  return csvLine(DIRECTORY_FIELDS.map(({ name }) => String(entry[name] ?? '')));
}
