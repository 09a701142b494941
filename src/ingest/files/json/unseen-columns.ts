/** Compares the columns of a mapping with the fields in the first rows of an NDJSON file, which has no header. */

import { isTypo } from '../../../contract/query/suggestion.ts';
import { ImportRefused } from '../../import-refused.ts';
import { linesOf } from '../file-content.ts';
import { columnFaults } from '../known-columns.ts';
import { type Mapping, usedColumns } from '../mapping.ts';
import type { SourceFile } from '../source-file.ts';
import { fieldNames } from './json-row.ts';

/** Lines that are read. */
const SAMPLE_LINES = 300;

/**
 * The columns that none of the first rows has. Few rows may have an optional field, so only a column that looks like a
 * typo is refused: its name hardly differs from that of a field that the mapping does not use.
 */
export async function unseenColumns(
  source: SourceFile,
  mapping: Mapping,
): Promise<readonly string[]> {
  const used = usedColumns(mapping);
  const seen = await firstNames(source);
  const unseen = used.filter((column) => !seen.has(column));
  const unused = [...seen].filter((name) => !used.includes(name));
  const faults = unseen.flatMap((column) => {
    const meant = unused.filter((name) => isTypo(column, name));
    return meant.length === 0 ? [] : [columnFaults.noColumn(column, meant)];
  });
  if (faults.length > 0) throw new ImportRefused(`${source.name}: ${faults.join('\n  ')}`);
  return unseen;
}

async function firstNames(source: SourceFile): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let lines = 0;
  for await (const line of linesOf(source)) {
    for (const name of fieldNames(line)) names.add(name);
    lines += 1;
    if (lines === SAMPLE_LINES) break;
  }
  return names;
}
