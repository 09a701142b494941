/** Events of a backup as NDJSON, so that a command can follow a backup in another process. */

import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { BACKUP_REPORT, type BackupCommand, type BackupReport } from '../backup/back-up.ts';
import { BACKUP_PLACE } from '../backup/backup-place.ts';
import { readJson, readValue } from '../read-json.ts';
import { UserError } from '../user-error.ts';
import type { Operator } from './operator.ts';
import { isDisconnection } from './remote-refusals.ts';
import { linesOf } from './response-lines.ts';

const BACKUP_COMMAND = v.strictObject({ to: BACKUP_PLACE, base: v.optional(BACKUP_PLACE) });

export const readBackupCommand = (body: unknown): BackupCommand => readValue(BACKUP_COMMAND, body);

const BACKUP_EVENT = v.variant('event', [
  v.object({ event: v.literal('progress'), part: v.number() }),
  v.object({ event: v.literal('report'), report: BACKUP_REPORT }),
  v.object({ event: v.literal('failed'), message: v.string(), next: v.optional(v.string()) }),
]);

type BackupEvent = v.InferOutput<typeof BACKUP_EVENT>;

/** Milliseconds between two events of progress. */
const INTERVAL = 500;

/** Runs a backup and yields its events: the progress from time to time, at the end a report or a failure. */
export async function* backupEvents(
  operator: Operator,
  command: BackupCommand,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let part = 0;
  const onProgress = (now: number) => {
    part = now;
  };
  const outcome = operator.backUp(command, { signal, onProgress }).then(reportEvent, failureEvent);
  for (;;) {
    const event = await Promise.race([outcome, delay(INTERVAL)]);
    yield lineOf(event ?? { event: 'progress', part });
    if (event !== undefined) return;
  }
}

const lineOf = (event: BackupEvent): string => `${JSON.stringify(event)}\n`;

const reportEvent = (report: BackupReport): BackupEvent => ({ event: 'report', report });

const failureEvent = (error: unknown): BackupEvent => ({
  event: 'failed',
  message: error instanceof Error ? error.message : String(error),
  ...(error instanceof UserError ? { next: error.next } : {}),
});

/** Reads the events of a backup up to its report. */
export async function followBackup(
  events: Readable,
  onProgress?: (part: number) => void,
): Promise<BackupReport> {
  for await (const event of eventsOf(events)) {
    switch (event.event) {
      case 'progress':
        onProgress?.(event.part);
        break;
      case 'report':
        return event.report;
      case 'failed':
        if (event.next !== undefined) throw new UserError(event.message, event.next);
        throw new Error(event.message);
    }
  }
  throw new UserError(
    'The server ended during the backup. What it has written cannot be restored.',
    'Delete the incomplete backup, start the server, then run the command again.',
  );
}

async function* eventsOf(events: Readable): AsyncGenerator<BackupEvent> {
  try {
    for await (const line of linesOf(events)) yield readJson(BACKUP_EVENT, line);
  } catch (error) {
    // A broken connection is handled like a normal end: the caller throws if the report is missing.
    if (!isDisconnection(error)) throw error;
  }
}
