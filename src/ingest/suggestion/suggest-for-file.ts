/** Suggests a mapping for a file: reads its first rows, and detects how it is written. */

import { join } from 'node:path';
import { detectDialect } from '../dialect/detect-dialect.ts';
import type { StatedDialect } from '../dialect/dialect.ts';
import { detectFileFormat } from '../files/detect-file-format.ts';
import type { ImportFile } from '../files/import-file.ts';
import { COLUMNS_OF, type ExpectedRows } from '../files/known-columns.ts';
import { textRows } from '../files/numbered-rows.ts';
import type { SourceFile } from '../files/source-file.ts';
import { utf8Copy } from '../files/utf8-copy.ts';
import { ImportRefused } from '../import-refused.ts';
import { type SampledColumn, type Suggestion, suggestMapping } from './suggest-mapping.ts';

/** Rows whose values are used to recognise columns. */
const SAMPLE_ROWS = 10_000;

/** The maximum number of different values of a column that are kept. */
const VALUES = 1000;

export interface FileSuggestion extends Suggestion {
  /** How the file is written, where it differs from plain CSV. */
  readonly dialect: StatedDialect;
}

/** `directory` is a folder for a copy in UTF-8. Throws an ImportRefused if the file is not CSV. */
export async function suggestForFile(
  { path, name, dialect: stated = {} }: ImportFile,
  expected: ExpectedRows,
  directory: string,
  signal?: AbortSignal,
): Promise<FileSuggestion> {
  const wishes = { expected: COLUMNS_OF[expected.rows], ...stated };
  const found = await detectFileFormat(path, name, wishes);
  const { form, encoding } = found;
  if (form.format !== 'csv') {
    throw new ImportRefused(`${name}: is ${form.format}. Mappings are suggested for CSV only.`);
  }
  const source = await utf8Copy(found, join(directory, 'copy'), {
    stated: stated.encoding,
    signal,
  });
  const suggestion = suggestMapping(await sampledColumns(source, form.columns), expected);
  const written = await writtenDialect(
    { ...source, mapping: suggestion.mapping },
    stated,
    form.columns,
  );
  const delimiter = form.delimiter === ',' ? {} : { delimiter: form.delimiter };
  return {
    ...suggestion,
    doubts: [...suggestion.doubts, ...written.doubts],
    dialect: { ...delimiter, ...(encoding && { encoding }), ...written.dialect },
  };
}

async function sampledColumns(
  source: SourceFile,
  names: readonly string[],
): Promise<readonly SampledColumn[]> {
  const columns = names.map((name) => ({ name, values: new Set<string>() }));
  let rows = 0;
  for await (const { cells, fault } of textRows(source, names)) {
    if (rows === SAMPLE_ROWS) break;
    rows += 1;
    if (fault !== undefined) continue;
    for (const [at, { values }] of columns.entries()) {
      const text = Buffer.from(cells[at] ?? '', 'latin1').toString();
      if (values.size < VALUES) values.add(text);
    }
  }
  return columns.map(({ name, values }) => ({ name, values: [...values] }));
}

/** If a notation is not clear, leaves out those of numbers and dates, and returns the reason as a doubt. */
async function writtenDialect(
  source: SourceFile,
  stated: StatedDialect,
  columns: readonly string[],
): Promise<{ dialect: StatedDialect; doubts: readonly string[] }> {
  try {
    const { numbers, dates } = await detectDialect(source, stated, columns);
    const decimal = numbers?.decimal;
    return { dialect: { ...(decimal && { decimal }), ...(dates && { dates }) }, doubts: [] };
  } catch (error) {
    if (error instanceof ImportRefused) return { dialect: {}, doubts: [error.message] };
    throw error;
  }
}
