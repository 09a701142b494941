/** Interface to ClickHouse, embedded or on servers. */

import type { Readable } from 'node:stream';
import type { Select } from '../plan/select.ts';
import type { Statement } from '../plan/sql.ts';
import type { QueryClass, QueryUsage } from './query-class.ts';

/** Read-only access. */
export interface Reader {
  /**
   * The bytes of a response in the format RawBLOB (values back to back), in blocks of whole rows.
   * Each block has its own memory, which belongs to the caller.
   *
   * The stream ends only after the last row; a failure of the engine throws an EngineFailure. An
   * abort of the signal, or leaving the loop, stops the query in the engine.
   */
  read(statement: Statement, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Whether queries wait, so that a long download should make room now and then. */
  readonly isContended?: boolean;
  /** The current versions of the data. Undefined if other processes can write. */
  readonly versions?: DataVersions | undefined;
  /** The rows of a small response. An abort of the signal stops the query in the engine. */
  rows<Row>(statement: Select<Row>, signal?: AbortSignal): Promise<readonly Row[]>;
  /** The servers of a cluster; undefined if there is only one. */
  readonly servers?: Servers | undefined;
}

/** While a number stays the same, so does the data that it stands for. */
export interface DataVersions {
  readonly all: number;
  /** Tokens, and the named values in the table `keys`. Imports change neither. */
  readonly tokensAndValues: number;
}

/** Whether no other process can write to the database. */
export const isExclusive = ({ versions }: Pick<Reader, 'versions'>): boolean =>
  versions !== undefined;

export interface Servers {
  readonly readers: readonly Reader[];
  /** The name of the local table on each server. */
  readonly localTableOf: (table: string) => string;
}

/**
 * What a statement may change. `nothing`: no data that a report or a lookup of tokens reads. `rows`: rows of
 * reports. `all`: also tokens and named values.
 */
export type ChangedData = (typeof CHANGED_DATA)[number];

/** In ascending order: each value includes the values before it. */
export const CHANGED_DATA = ['nothing', 'rows', 'all'] as const;

export interface ExecuteOptions {
  /** The bytes that the statement reads with `input()`. */
  readonly body?: (() => Readable) | undefined;
  /** An abort stops the statement. */
  readonly signal?: AbortSignal | undefined;
  /** What the statement changes; all data by default. The versions of other data stay the same. */
  readonly changes?: ChangedData;
  /** Called now and then with the number of bytes read so far, uncompressed. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

export interface Engine extends Reader {
  /** Whether it can open files of this machine. If not, their bytes are sent with the statement. */
  readonly opensFiles: boolean;
  readonly queries: QueryUsage;
  /** Rows that were returned, by class; undefined if the engine does not count them. */
  readonly rowCounts?: Readonly<Record<QueryClass, number>>;
  /** Runs a statement that changes something. */
  execute(statement: Statement, options?: ExecuteOptions): Promise<void>;
  /** Returns freed memory to the system at once; undefined if the engine is another process. */
  readonly releaseMemory?: () => Promise<void>;
  /** One engine for each server. */
  each(): readonly Engine[];
  close(): Promise<void>;
}

/** The maximum length of the text of a statement that changes something, in bytes. */
export const MAX_STATEMENT_LENGTH = 16 * 1024 * 1024;

/** ClickHouse error codes such as timeouts, lost connections and too many queries. */
const TRANSIENT_CODES = new Set([202, 209, 210, 241, 242, 279, 394, 425, 439, 999]);

/** ClickHouse error code: a file is truncated, or a server of a cluster lost its connection to another one. */
const ATTEMPT_TO_READ_AFTER_EOF = 32;

/** Text of the error with this code if a connection was lost. */
const LOST_CONNECTION_TEXT = /attempt to read after eof: while receiving packet from/i;

/** ClickHouse error code: the query reached its time limit. */
const TIMEOUT_EXCEEDED = 159;

/** ClickHouse error codes: cannot write to a file, not enough space. */
const DISK_FULL_CODES = new Set([75, 243]);

/** Texts of errors with other codes. The last two are those of a merge, in newer and in older versions. */
const DISK_FULL_TEXT =
  /no space left on device|not enough free space to merge|insufficient available disk space/i;

/** An error of the engine, with the ClickHouse error code if there is one. */
export class EngineFailure extends Error {
  readonly number: number | undefined;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineFailure';
    const number = /Code: (\d+)\./.exec(message)?.[1];
    this.number = number === undefined ? undefined : Number(number);
  }

  /** Whether the same query may succeed a little later. */
  get isTransient(): boolean {
    const hasCode = this.number === undefined || TRANSIENT_CODES.has(this.number);
    return (
      hasCode ||
      (this.number === ATTEMPT_TO_READ_AFTER_EOF && LOST_CONNECTION_TEXT.test(this.message))
    );
  }

  /** Whether the query reached its time limit. Trying it again would not help. */
  get isTimeout(): boolean {
    return this.number === TIMEOUT_EXCEEDED;
  }

  get isDiskFull(): boolean {
    const hasCode = this.number !== undefined && DISK_FULL_CODES.has(this.number);
    return hasCode || DISK_FULL_TEXT.test(this.message);
  }
}

/** Whether no server has answered: an answer has an error code. */
export const isUnanswered = (error: unknown): error is EngineFailure =>
  error instanceof EngineFailure && error.number === undefined;

/** The queue of the engine is full, or imports overtake a query. Reported to the client at once. */
export class EngineBusy extends EngineFailure {
  constructor(options?: ErrorOptions, message = 'Too many queries wait for the engine.') {
    super(message, options);
    this.name = 'EngineBusy';
  }
}

/** In characters. Longer messages are cut, because their end quotes the statement and the rows that it read. */
const MAX_MESSAGE_LENGTH = 300;

export function failureOf(error: unknown): EngineFailure {
  if (error instanceof EngineFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  const name = /\(([A-Z][A-Z_]+)\)\s*$/.exec(message)?.[1] ?? '';
  return new EngineFailure(
    message.length <= MAX_MESSAGE_LENGTH
      ? message
      : `${message.slice(0, MAX_MESSAGE_LENGTH)}… ${name}`,
  );
}
