/** The lines that a continuous import prints, one for each round. */

import type { ImportReport } from '../../ingest/import-report.ts';
import { UserError } from '../../user-error.ts';
import { importReportJson } from '../commands/importing/import-command.ts';
import { importReportText } from '../output/import-report-text.ts';
import { printable, printableLine } from '../output/printable.ts';

const CORRECT_SOURCE = 'Correct them in the source: the next round reads them again.';

export const CORRECT_FILE_ADVICE = 'Correct the file, and put it into the directory again.';

/** The outcome of a round; `what` is the file, or the instant since which changes were read. */
export function roundText(
  report: ImportReport,
  what: { readonly since?: string | undefined; readonly file?: string },
  { json = false }: { readonly json?: boolean | undefined },
): string {
  if (json)
    return JSON.stringify({ at: new Date().toISOString(), ...what, ...importReportJson(report) });
  if (report.rejected > 0) {
    const advice = what.file === undefined ? CORRECT_SOURCE : CORRECT_FILE_ADVICE;
    return `${clock()} ${importReportText(report, { advice })}`;
  }
  const { rows, imported } = report;
  const source = what.file ?? (what.since === undefined ? 'everything' : `since ${what.since}`);
  return `${clock()} ${printableLine(source)}: read ${number(rows)} rows, imported ${number(imported)} in ${report.seconds.toFixed(1)} s`;
}

/** A file that was refused as a whole. Most reasons begin with its name. */
export function refusedText(file: string, reasons: string): string {
  const named = `${file}: `;
  return `${clock()} refused: ${reasons.startsWith(named) ? '' : named}${reasons}`;
}

/** Printed before everything is read again. */
export const otherDatabaseText = (): string =>
  `${clock()} The database was restored or replaced, so the import begins again.`;

/** What failed, and what to do about it. */
export function failureMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const next = error instanceof UserError ? ` ${error.next}` : '';
  return printable(`${message}${next}`);
}

/** A failure after which the import goes on; `delay` is in milliseconds. */
export function failureText(error: unknown, readUntil: Date | undefined, delay: number): string {
  const last = readUntil === undefined ? '' : ` Imported until ${clock(readUntil)}.`;
  return `${clock()} failed: ${failureMessage(error)}${last} Next try in ${seconds(delay)}.`;
}

/** A file that each round tries to move, every so many milliseconds. Printed once, until it fails for another reason. */
export const unmovedText = (message: string, every: number): string =>
  `${clock()} failed: ${message} Tried again every ${seconds(every)}; the next failures are not shown.`;

const seconds = (milliseconds: number): string => `${Math.ceil(milliseconds / 1000)} s`;

const clock = (at = new Date()): string => `${at.toISOString().slice(0, 19)}Z`;

const number = (value: number): string => value.toLocaleString('en');
