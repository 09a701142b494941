/** Formats the report of an import as text. */

import colors from 'picocolors';
import { suggestionFor } from '../../contract/query/suggestion.ts';
import type { DirectoryName } from '../../contract/record/directory.ts';
import { REASONS, type Reason } from '../../ingest/checks/reasons.ts';
import { COLUMNS_OF } from '../../ingest/files/known-columns.ts';
import type { ImportReport, RowFault } from '../../ingest/import-report.ts';
import { printable, printableLine } from './printable.ts';

/** `advice` says what to do if rows are wrong. */
export function importReportText(
  report: ImportReport,
  {
    rejects,
    advice = CORRECT,
  }: { readonly rejects?: string | undefined; readonly advice?: string },
): string {
  const lines = [...readAs(report), outcome(report, rejects, advice), ...erased(report)];
  return [...faultText(report, COLUMNS_OF.transactions), ...lines].join('\n');
}

const CORRECT =
  'Correct them and import again, or import only the correct rows: --rejects rejected.csv';

/** The report of an import of the directory. */
export function directoryReportText(report: ImportReport, of: DirectoryName): string {
  const { imported, rejected, rows, deleted = 0 } = report;
  if (rejected > 0) {
    const refusal = `Nothing was imported: ${number(rejected)} of ${number(rows)} rows are wrong.`;
    return [
      ...faultText(report, COLUMNS_OF.directory),
      colors.red(refusal),
      'Correct them and import again.',
    ].join('\n');
  }
  const removal = deleted === 0 ? '' : ` Removed ${number(deleted)} that the files do not have.`;
  return [...readAs(report), colors.green(`Imported ${number(imported)} ${of}.${removal}`)].join(
    '\n',
  );
}

const readAs = (report: ImportReport): readonly string[] =>
  (report.readAs ?? []).map((text) => `Read ${printableLine(text)}`);

/** The faults and how often each occurs; `known` are the columns that a file may have. */
function faultText(report: ImportReport, known: readonly string[]): readonly string[] {
  if (report.rejected === 0) return [];
  const faults = report.faults.map((fault) => faultLine(fault, known));
  const all = Object.values(report.reasons).reduce((sum, times) => sum + times, 0);
  const left = all > faults.length ? [`… and ${number(all - faults.length)} more`] : [];
  const counts = Object.entries(report.reasons).map(
    ([reason, times]) => `  ${number(times)} × ${REASONS[reason as Reason]}`,
  );
  return [...faults, ...left, '', 'How often:', ...counts, ''];
}

/** How many rows the import emptied or left out because of earlier erasures. No line if faulty rows prevented it. */
function erased({ imported, rejected, emptied, removed }: ImportReport): readonly string[] {
  if ((imported === 0 && rejected > 0) || emptied + removed === 0) return [];
  const counts = `${number(emptied)} imported without personal values, ${number(removed)} left out`;
  return [`Rows of erased persons: ${counts}.`];
}

const number = (value: number): string => value.toLocaleString('en');

const rowsText = (count: number): string => (count === 1 ? '1 row' : `${number(count)} rows`);

function faultLine(fault: RowFault, known: readonly string[]): string {
  const { file, line, key, column, reason, value } = fault;
  const place = key === undefined ? `${file}:${line}` : `${file} ${key}`;
  const shown = value === '' ? '' : ` ${colors.yellow(printable(JSON.stringify(value)))}`;
  const hint = hintOf(fault, () => suggestionFor(column, known));
  return `${colors.bold(printableLine(place))} ${column === '' ? 'row' : printable(column)}${shown} ${REASONS[reason]}${hint}`;
}

/** What to type, if the value is probably right but written in another way. */
function hintOf({ reason, value, key }: RowFault, suggestion: () => string): string {
  if (reason === 'unknown_field') return `.${suggestion()}`;
  if (reason === 'not_a_decimal' && /\d[.,]\d/.test(value)) {
    return key === undefined
      ? `; say how numbers are written: --decimal ',' or --decimal '.'`
      : `; if it has a decimal point, say so: --decimal '.'. If not, convert it to a number in a view`;
  }
  if (reason === 'not_a_date' && /^\d{1,2}[-/.]\d{1,2}[-/.]\d{4}/.test(value)) {
    return '; --dates DD/MM/YYYY or --dates MM/DD/YYYY says the order';
  }
  // The text of a table has no encoding that could be named.
  if (reason === 'not_utf8' && key === undefined) {
    return '; correct it, or name the encoding of the whole file, such as --encoding windows-1252';
  }
  return '';
}

function outcome(report: ImportReport, rejects: string | undefined, advice: string): string {
  const { rows, imported, rejected, seconds } = report;
  if (rejected === 0) {
    const rate = Math.round(rows / seconds);
    return colors.green(
      `Imported ${rowsText(imported)} in ${seconds.toFixed(1)} s (${number(rate)} rows/s).`,
    );
  }
  if (rejects !== undefined) {
    return colors.yellow(
      `Imported ${rowsText(imported)}; ${rejected === 1 ? '1 rejected row is' : `${number(rejected)} rejected rows are`} in ${rejects}, with line and reason.`,
    );
  }
  return (
    colors.red(`Nothing was imported: ${number(rejected)} of ${number(rows)} rows are wrong.\n`) +
    advice
  );
}
