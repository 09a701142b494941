/** Detects how the numbers and dates of a CSV or NDJSON file are written, from its first rows. */

import { STORED_TYPES } from '../files/known-columns.ts';
import { copiedFields } from '../files/mapping.ts';
import { textRows } from '../files/numbered-rows.ts';
import { isTable, type SourceFile } from '../files/source-file.ts';
import { DateSample } from './decide-dates.ts';
import { NumberSample } from './decide-numbers.ts';
import type { StatedDialect, ValueDialect } from './dialect.ts';

/** The number of rows that are always read. */
const SAMPLE_ROWS = 300;
/** The most rows that are read while the numbers or the dates are still ambiguous, such as `1,234`. */
const MAX_SAMPLE_ROWS = 100_000;

/** Throws an ImportRefused if values contradict each other, or have two meanings and nothing says which. */
export async function detectDialect(
  source: SourceFile,
  stated: StatedDialect,
  columns: readonly string[],
): Promise<ValueDialect> {
  const [numbers, dates] = [new NumberSample(), new DateSample()];
  const sampled = sampledCells(source, columns);
  if (source.form.format === 'parquet') return statedOnly(stated);
  const hasDecimals = sampled.some(({ type }) => type === 'decimal');
  const hasYearLast = () => hasDecimals && dates.isYearLast;
  let count = 0;
  const isOpen = () =>
    (stated.decimal === undefined && numbers.isOpen(hasYearLast())) ||
    (stated.dates === undefined && dates.open !== undefined);
  for await (const { cells, fault } of textRows(source, columns)) {
    count += 1;
    if (count > MAX_SAMPLE_ROWS || (count > SAMPLE_ROWS && !isOpen())) break;
    if (fault !== undefined) continue;
    for (const { at, column, type } of sampled) {
      const example = { column, text: Buffer.from(cells[at] ?? '', 'latin1').toString() };
      if (type === 'date') dates.add(example);
      else if (type === 'decimal') numbers.add(example);
      else numbers.addInteger(example);
    }
  }
  return {
    numbers: numbers.decide(source.name, stated.decimal, hasYearLast(), isTable(source)),
    dates: dates.decide(source.name, stated.dates),
  };
}

/** Parquet has types; only its texts may have another notation. */
const statedOnly = ({ decimal, dates }: StatedDialect): ValueDialect => ({
  numbers: decimal && { decimal, currency: undefined },
  dates,
});

const SAMPLED = ['date', 'decimal', 'integer'] as const;

/** Values that a mapping translates by codes are not read. A table has its columns renamed, so the fields are shown. */
function sampledCells(source: SourceFile, columns: readonly string[]) {
  return copiedFields(source.mapping, columns).flatMap(({ name, column }) => {
    const at = columns.indexOf(column);
    const type = SAMPLED.find((sampled) => sampled === STORED_TYPES.get(name));
    const shown = isTable(source) ? name : column;
    return at === -1 || type === undefined ? [] : [{ at, column: shown, type }];
  });
}
