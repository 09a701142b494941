/** An import as a series of events, one JSON text a line, for whoever follows it from outside. */

import { ImportRefused } from '../ingest/import-refused.ts';
import type { ImportReport } from '../ingest/import-report.ts';
import type { ImportOrder, ImportWatch, Operator } from './operator.ts';

type ImportEvent =
  | { readonly event: 'progress'; readonly part: number }
  | { readonly event: 'rejected'; readonly csv: string }
  | { readonly event: 'report'; readonly report: ImportReport }
  | { readonly event: 'refused' | 'failed'; readonly message: string };

/** Runs an import and yields its events; the last one is its report or its failure. */
export async function* importEvents(
  operator: Operator,
  order: ImportOrder,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const events = new TransformStream<ImportEvent, ImportEvent>(undefined, undefined, {
    highWaterMark: 16,
  });
  const writer = events.writable.getWriter();
  const write = async (event: ImportEvent) => await writer.write(event);
  const run = operator
    .importFiles(order, {
      signal,
      onProgress: (part) => void write({ event: 'progress', part }),
      // Latin-1 carries any byte through JSON unchanged.
      onRejected: (csv) => write({ event: 'rejected', csv: Buffer.from(csv).toString('latin1') }),
    })
    .then(
      (report) => write({ event: 'report', report }),
      (error: unknown) => write(failureEvent(error)),
    )
    .finally(() => writer.close());
  for await (const event of events.readable) yield `${JSON.stringify(event)}\n`;
  await run;
}

const failureEvent = (error: unknown): ImportEvent => ({
  event: error instanceof ImportRefused ? 'refused' : 'failed',
  message: error instanceof Error ? error.message : String(error),
});

/** Follows the events of an import to its report. */
export async function followImport(
  lines: AsyncIterable<string>,
  watch: ImportWatch,
): Promise<ImportReport> {
  for await (const line of lines) {
    const event = JSON.parse(line) as ImportEvent;
    switch (event.event) {
      case 'progress':
        watch.onProgress?.(event.part);
        break;
      case 'rejected':
        await watch.onRejected?.(Buffer.from(event.csv, 'latin1'));
        break;
      case 'report':
        return event.report;
      case 'refused':
        throw new ImportRefused(event.message);
      case 'failed':
        throw new Error(event.message);
    }
  }
  throw new Error(
    'The process that holds the database ended before the import did; nothing of it is visible, or all of it.',
  );
}
