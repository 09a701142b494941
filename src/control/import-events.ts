/** Events of an import as NDJSON, so that a command can follow an import in another process. */

import type { Readable } from 'node:stream';
import * as v from 'valibot';
import { REASON_NAMES } from '../ingest/checks/reasons.ts';
import { ImportRefused } from '../ingest/import-refused.ts';
import type { ImportReport } from '../ingest/import-report.ts';
import { readJson } from '../read-json.ts';
import type { ImportOptions } from './operator.ts';
import { isDisconnection } from './remote-refusals.ts';

const REASON = v.picklist(REASON_NAMES);

const FAULT = v.object({
  file: v.string(),
  line: v.exactOptional(v.number()),
  key: v.exactOptional(v.string()),
  column: v.string(),
  reason: REASON,
  value: v.string(),
});

const REPORT = v.object({
  id: v.string(),
  files: v.number(),
  rows: v.number(),
  imported: v.number(),
  rejected: v.number(),
  deleted: v.exactOptional(v.number()),
  emptied: v.number(),
  removed: v.number(),
  readAs: v.exactOptional(v.pipe(v.array(v.string()), v.readonly())),
  seconds: v.number(),
  reasons: v.record(REASON, v.number()),
  faults: v.pipe(v.array(FAULT), v.readonly()),
}) satisfies v.GenericSchema<unknown, ImportReport>;

const IMPORT_EVENT = v.variant('event', [
  v.object({ event: v.literal('accepted') }),
  v.object({ event: v.literal('progress'), part: v.number() }),
  v.object({ event: v.literal('rejected'), csv: v.string() }),
  v.object({ event: v.literal('report'), report: REPORT }),
  v.object({ event: v.literal('refused'), message: v.string() }),
  v.object({
    event: v.literal('failed'),
    message: v.string(),
    /** Whether it failed because it was aborted. Older servers do not say. */
    isAborted: v.optional(v.boolean()),
  }),
]);

type ImportEvent = v.InferOutput<typeof IMPORT_EVENT>;

/** Runs an import and yields its events: first `accepted`, at the end a report or a failure. */
export async function* importEvents(
  run: (options: ImportOptions) => Promise<ImportReport>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const events = new TransformStream<ImportEvent, ImportEvent>(undefined, undefined, {
    highWaterMark: 16,
  });
  const writer = events.writable.getWriter();
  const write = async (event: ImportEvent) => await writer.write(event);
  const ignore = () => undefined;
  yield lineOf({ event: 'accepted' });
  run({
    signal,
    onProgress: (part) => void write({ event: 'progress', part }).catch(ignore),
    // Latin-1 carries any byte through JSON unchanged.
    onRejected: (csv) => write({ event: 'rejected', csv: Buffer.from(csv).toString('latin1') }),
  })
    .then(
      (report) => write({ event: 'report', report }),
      (error: unknown) => write(failureEvent(error, signal)),
    )
    .then(() => writer.close())
    // A write fails if the reader has left. Then nobody needs the outcome.
    .catch(ignore);
  for await (const event of events.readable) yield lineOf(event);
}

const lineOf = (event: ImportEvent): string => `${JSON.stringify(event)}\n`;

function failureEvent(error: unknown, { aborted, reason }: AbortSignal): ImportEvent {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ImportRefused) return { event: 'refused', message };
  return { event: 'failed', message, isAborted: aborted && error === reason };
}

/** Reads the events of an import, and returns its report. If the import was aborted, throws the signal's reason. */
export async function followImport(
  events: Readable,
  options: ImportOptions,
): Promise<ImportReport> {
  for await (const event of eventsOf(events)) {
    switch (event.event) {
      case 'accepted':
        break;
      case 'progress':
        options.onProgress?.(event.part);
        break;
      case 'rejected':
        await options.onRejected?.(Buffer.from(event.csv, 'latin1'));
        break;
      case 'report':
        return event.report;
      case 'refused':
        throw new ImportRefused(event.message);
      case 'failed':
        if (event.isAborted !== false) options.signal?.throwIfAborted();
        throw new Error(event.message);
    }
  }
  throw new Error(
    'The server ended before it reported the outcome: either all rows of the import are visible, or none. Import again to be sure. Importing the same rows twice changes nothing.',
  );
}

async function* eventsOf(content: Readable): AsyncGenerator<ImportEvent> {
  let rest = '';
  try {
    for await (const chunk of content.setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield readJson(IMPORT_EVENT, line);
    }
  } catch (error) {
    // A broken connection is handled like a normal end: the caller throws if the report is missing.
    if (!isDisconnection(error)) throw error;
  }
}
