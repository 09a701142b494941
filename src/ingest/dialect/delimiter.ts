/** Recognises the delimiter of CSV by known names of columns, or else by lines with the same number of cells. */

import { csvCells } from '../files/csv-rows.ts';
import { DELIMITERS, type Delimiter } from './dialect.ts';

/** `lines` begin with the header. A header without any delimiter counts as delimited by commas. */
export function delimiterOf(lines: readonly string[], expected: readonly string[]): Delimiter {
  const [header = '', ...others] = lines.filter((line) => line.trim() !== '');
  const candidates = DELIMITERS.map((delimiter) => {
    const cells = headerCells(header, delimiter);
    const known = cells.filter((cell) => expected.includes(cell)).length;
    const alike = others.filter(
      (line) => csvCells(line, delimiter)?.length === csvCells(header, delimiter)?.length,
    ).length;
    return { delimiter, known, alike: cells.length > 1 ? alike : 0, cells: cells.length };
  });
  // The sort is stable, so that the comma, which is first, wins a tie.
  candidates.sort(
    (one, other) => other.known - one.known || other.alike - one.alike || other.cells - one.cells,
  );
  return candidates[0]?.delimiter ?? ',';
}

/** The names of the columns; an extra delimiter at the end, as some exports write, is ignored. */
export function headerCells(header: string, delimiter: Delimiter): readonly string[] {
  const cells = (csvCells(header, delimiter) ?? [header]).map((cell) => cell.trim());
  return cells.at(-1) === '' ? cells.slice(0, -1) : cells;
}
