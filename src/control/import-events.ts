/** An import as a series of events, one JSON text a line, for whoever follows it from outside. */

import type { Readable } from 'node:stream';
import { ImportRefused } from '../ingest/import-refused.ts';
import type { ImportReport } from '../ingest/import-report.ts';
import type { ImportCommand, ImportWatch, Operator } from './operator.ts';

type ImportEvent =
  | { readonly event: 'accepted' }
  | { readonly event: 'progress'; readonly part: number }
  | { readonly event: 'rejected'; readonly csv: string }
  | { readonly event: 'report'; readonly report: ImportReport }
  | { readonly event: 'refused' | 'failed'; readonly message: string };

/**
 * Runs an import and yields its events; the first one comes at once, the last one is its report or
 * its failure.
 */
export async function* importEvents(
  operator: Operator,
  order: ImportCommand,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const events = new TransformStream<ImportEvent, ImportEvent>(undefined, undefined, {
    highWaterMark: 16,
  });
  const writer = events.writable.getWriter();
  const write = async (event: ImportEvent) => await writer.write(event);
  const ignore = () => undefined;
  yield lineOf({ event: 'accepted' });
  operator
    .importFiles(order, {
      signal,
      onProgress: (part) => void write({ event: 'progress', part }).catch(ignore),
      // Latin-1 carries any byte through JSON unchanged.
      onRejected: (csv) => write({ event: 'rejected', csv: Buffer.from(csv).toString('latin1') }),
    })
    .then(
      (report) => write({ event: 'report', report }),
      (error: unknown) => write(failureEvent(error)),
    )
    .then(() => writer.close())
    // Whoever left does not hear how it ended.
    .catch(ignore);
  for await (const event of events.readable) yield lineOf(event);
}

const lineOf = (event: ImportEvent): string => `${JSON.stringify(event)}\n`;

const failureEvent = (error: unknown): ImportEvent => ({
  event: error instanceof ImportRefused ? 'refused' : 'failed',
  message: error instanceof Error ? error.message : String(error),
});

/** Follows the events of an import to its report; where it was aborted, throws the signal's reason. */
export async function followImport(events: Readable, watch: ImportWatch): Promise<ImportReport> {
  for await (const event of eventsOf(events)) {
    switch (event.event) {
      case 'accepted':
        break;
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
        watch.signal?.throwIfAborted();
        throw new Error(event.message);
    }
  }
  throw new Error(
    'The process that holds the database ended before it told the outcome: either all of the import is visible, or nothing. Run it again to be sure; a repeated import changes nothing.',
  );
}

async function* eventsOf(content: Readable): AsyncGenerator<ImportEvent> {
  let rest = '';
  try {
    for await (const chunk of content.setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as ImportEvent;
    }
  } catch (error) {
    // A connection that breaks is an end like any other: what matters is the last event.
    if (!(error instanceof Error && 'code' in error && error.code === 'ECONNRESET')) throw error;
  }
}
