/** Audit log: writes events to the database and to a file, without delaying the request or command. */

import { randomBytes } from 'node:crypto';
import type { AuditEvent } from './audit-events.ts';
import { type Actor, auditLine, NO_ACTOR } from './audit-line.ts';
import { type HashValue, valueHasher } from './value-hash.ts';
import type { AuditFile } from './writing/audit-file.ts';
import { insertLines, type LineTarget } from './writing/insert-lines.ts';
import { LineQueue } from './writing/line-queue.ts';

/** Where failures are reported. */
export interface AuditWarnings {
  warn(details: object, message: string): void;
}

export interface AuditLogOptions {
  readonly target: LineTarget;
  readonly file: AuditFile | undefined;
  /** The key of the hashes of values. */
  readonly key: Buffer;
  readonly warnings: AuditWarnings;
  /** Milliseconds in which lines for the database are gathered; `DATABASE_DELAY` by default. */
  readonly databaseDelay?: number;
}

/** Milliseconds in which lines for the database are gathered. A killed process loses these lines. */
export const DATABASE_DELAY = 5000;

/** Milliseconds in which lines for the file are gathered, because a write costs much more than a line. */
const FILE_DELAY = 100;

/** The maximum size of a database batch, in bytes. Few long statements cost less than many short ones. */
const DATABASE_BATCH = 4 * 1024 * 1024;
/** The maximum size of a batch for the file, in bytes. */
const FILE_BATCH = 1024 * 1024;

/** Milliseconds after which a statement counts as failed. */
const STATEMENT_TIMEOUT = 30_000;

/** Milliseconds to write the last lines when the process ends. */
const CLOSING_TIME = 3000;

/** Milliseconds between two warnings about the same destination. */
const WARNING_INTERVAL = 60_000;

/** The names of the destinations, for metrics and warnings. */
export const AUDIT_DESTINATIONS = ['database', 'file'] as const;

export type AuditDestination = (typeof AUDIT_DESTINATIONS)[number];

export class AuditLog {
  readonly hash: HashValue;
  /** The lines that wait to be written; `file` is absent if there is no file. */
  readonly queues: { readonly database: LineQueue; readonly file?: LineQueue };
  readonly #options: AuditLogOptions;
  // Several processes write lines, so the ids of each begin with its own prefix.
  readonly #prefix = randomBytes(6).toString('base64url');
  readonly #warnedAt = new Map<AuditDestination, number>();
  #count = 0;

  constructor(options: AuditLogOptions) {
    const { file, key, databaseDelay = DATABASE_DELAY } = options;
    this.#options = options;
    this.hash = valueHasher(key);
    const database = new LineQueue({
      ...this.#reportsOf('database'),
      write: async ({ parts }, signal) => {
        const inTime = AbortSignal.any([signal, AbortSignal.timeout(STATEMENT_TIMEOUT)]);
        await insertLines(options.target, parts, inTime);
      },
      delay: databaseDelay,
      batchSize: DATABASE_BATCH,
    });
    this.queues = file === undefined ? { database } : { database, file: this.#fileQueue(file) };
  }

  /** Never waits and never fails. */
  record(event: AuditEvent, actor: Actor = NO_ACTOR): void {
    this.#count += 1;
    const line = auditLine(event, actor, new Date(), `${this.#prefix}-${this.#count}`);
    this.queues.file?.add(line);
    this.queues.database.add(line);
  }

  /** Writes the waiting lines now. */
  async flush(): Promise<void> {
    await Promise.all([this.queues.database.flush(), this.queues.file?.flush()]);
  }

  /** Writes the last lines. Call it before the engine is closed. */
  async close(): Promise<void> {
    const { database, file } = this.queues;
    const [lostOfDatabase, lostOfFile = 0] = await Promise.all([
      database.close(CLOSING_TIME),
      file?.close(CLOSING_TIME),
    ]);
    if (lostOfDatabase > 0) this.#warnOfLost('database', lostOfDatabase);
    if (lostOfFile > 0) this.#warnOfLost('file', lostOfFile);
    await this.#options.file?.close();
  }

  #fileQueue(file: AuditFile): LineQueue {
    return new LineQueue({
      ...this.#reportsOf('file'),
      write: async ({ parts }) => await file.append(parts),
      delay: FILE_DELAY,
      batchSize: FILE_BATCH,
    });
  }

  #reportsOf(destination: AuditDestination) {
    return {
      onFailure: (error: unknown) => this.#warn(destination, error),
      onLost: (count: number) => {
        this.#warnOfLost(destination, count);
        if (destination === 'database') this.record({ event: 'lines_lost', details: { count } });
      },
    };
  }

  #warnOfLost(destination: AuditDestination, count: number): void {
    this.#options.warnings.warn({ destination, count }, 'lines of the audit log were lost');
  }

  #warn(destination: AuditDestination, error: unknown): void {
    const now = performance.now();
    const before = this.#warnedAt.get(destination) ?? Number.NEGATIVE_INFINITY;
    if (now - before < WARNING_INTERVAL) return;
    this.#warnedAt.set(destination, now);
    const { waiting, dropped } = this.queues[destination] ?? {};
    this.#options.warnings.warn(
      { destination, waiting, dropped, err: error },
      'the audit log cannot be written at the moment',
    );
  }
}
