/** What the service asks of a database engine, embedded or a server. */

import type { Readable } from 'node:stream';
import type { Select } from '../plan/select.ts';
import type { Statement } from '../plan/sql.ts';

/** Reads without being able to change anything. */
export interface Reader {
  /**
   * The bytes of an answer in the format RawBLOB (values back to back), in blocks of whole rows.
   * Each block has its memory to itself, and whoever reads owns it.
   *
   * It ends well only after the last row: an engine that fails makes it throw an EngineFailure. An
   * abort of the signal, or leaving the loop, stops the query in the engine.
   */
  read(statement: Statement, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Whether others wait for the engine, so that a long answer should make room now and then. */
  readonly isContended?: boolean;
  /**
   * A number for the state of all that is stored: the same number, the same data. Undefined where
   * others may change it unseen.
   */
  readonly state?: number | undefined;
  /** The rows of a small response. An abort of the signal stops the query in the engine. */
  rows<Row>(statement: Select<Row>, signal?: AbortSignal): Promise<readonly Row[]>;
  /** Where the tables are spread over servers: each by itself, and what its own part of a table is called. */
  readonly servers?: Servers | undefined;
}

export interface Servers {
  readonly readers: readonly Reader[];
  readonly partOf: (table: string) => string;
}

/** How a long statement is followed and stopped. */
export interface Watch {
  /** The bytes that the statement reads by `input()`. */
  readonly body?: (() => Readable) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with what was read so far, uncompressed. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

export interface Engine extends Reader {
  /** Whether it opens files of this machine; if not, their bytes go with the statement. */
  readonly opensFiles: boolean;
  /** Runs a statement that changes something; an abort of the signal stops it. */
  execute(statement: Statement, watch?: Watch): Promise<void>;
  /** Each of its servers by itself; the embedded engine is one. */
  each(): readonly Engine[];
  close(): Promise<void>;
}

/** The engine's own numbers of failures that are about the moment and not about the question. */
const PASSING_FAILURES = new Set([159, 202, 209, 210, 241, 242, 279, 394, 425, 439, 999]);

/** Cannot write to a file, and not enough space. */
const DISK_FAILURES = new Set([75, 243]);

/** An error of the engine, with its number where it gave one. */
export class EngineFailure extends Error {
  readonly number: number | undefined;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineFailure';
    const number = /Code: (\d+)\./.exec(message)?.[1];
    this.number = number === undefined ? undefined : Number(number);
  }

  /** Whether the same question may well be answered a little later. */
  get isPassing(): boolean {
    return this.number === undefined || PASSING_FAILURES.has(this.number);
  }

  get isDiskFull(): boolean {
    const isCode = this.number !== undefined && DISK_FAILURES.has(this.number);
    return isCode || this.message.includes('No space left on device');
  }
}

/** More questions wait than the engine can answer soon. */
export class EngineBusy extends EngineFailure {
  constructor(options?: ErrorOptions) {
    super('Too many queries wait for the engine.', options);
    this.name = 'EngineBusy';
  }
}

/** As much of the engine's message as helps: the rest quotes the statement and the rows it read. */
const MESSAGE_LENGTH = 300;

export function failureOf(error: unknown): EngineFailure {
  if (error instanceof EngineFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  const name = /\(([A-Z][A-Z_]+)\)\s*$/.exec(message)?.[1] ?? '';
  return new EngineFailure(
    message.length <= MESSAGE_LENGTH ? message : `${message.slice(0, MESSAGE_LENGTH)}… ${name}`,
  );
}
