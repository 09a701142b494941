/** The embedded engine: ClickHouse in this process, on one data directory. */

import type { Session } from 'chdb';
import { Pool } from '../../concurrency/pool.ts';
import type { PermitRequest } from '../../concurrency/semaphore.ts';
import type { Select } from '../../plan/select.ts';
import { literal, type Statement } from '../../plan/sql.ts';
import { type DataVersions, type Engine, type ExecuteOptions, failureOf } from '../engine.ts';
import { inlineValues } from '../inline-values.ts';
import { NEVER_ABORTED } from '../never-aborted.ts';
import { parseRows } from '../parse-rows.ts';
import { type QueryClass, type QueryUsage, valuesByClass } from '../query-class.ts';
import { QUERY_LIMITS, queryClassOf } from '../query-limits.ts';
import { linesIn, noteRows } from '../row-count.ts';
import { reportProgress } from './report-progress.ts';
import { leaseSession } from './session-lease.ts';
import { READER_SETTINGS, WRITER_SETTINGS } from './session-settings.ts';
import { VersionCounter } from './version-counter.ts';

const WRITERS = { name: 'writer', size: 4, maxQueue: 64 };

type FileTarget = NonNullable<Statement['file']>;

export class ChdbEngine implements Engine {
  readonly opensFiles = true;
  readonly #control: Session;
  readonly #writers: Pool<Session>;
  readonly #readers: Readonly<Record<QueryClass, Pool<Session>>>;
  readonly #rows = valuesByClass(() => 0);
  readonly #waitUntilIdle: () => Promise<void>;
  readonly #versions = new VersionCounter();

  constructor(open: () => Session, waitUntilIdle: () => Promise<void>) {
    const named = (settings: readonly string[]) => (name: string) => {
      const session = open();
      session.query(`SET ${[`log_comment = '${name}'`, ...settings].join(', ')}`);
      return session;
    };
    this.#control = open();
    this.#writers = new Pool({
      ...WRITERS,
      open: named(WRITER_SETTINGS),
    });
    this.#readers = valuesByClass(
      (name) => new Pool({ ...QUERY_LIMITS[name], name, open: named(READER_SETTINGS[name]) }),
    );
    this.#waitUntilIdle = waitUntilIdle;
  }

  async *read(statement: Statement, signal: AbortSignal): AsyncIterable<Uint8Array> {
    if (statement.file === undefined) {
      yield* this.#blocks(statement, 'RawBLOB', signal);
    } else await this.#write(statement, statement.file, signal);
  }

  /** The engine writes the file itself. It cannot bind values in such a statement. */
  async #write(statement: Statement, { format, path }: FileTarget, signal: AbortSignal) {
    const text = `${inlineValues(statement)}\nINTO OUTFILE ${literal(path)} TRUNCATE FORMAT ${format}`;
    await this.#whole({ ...statement, text }, format, signal);
  }

  get isContended(): boolean {
    return this.#readers.list.isContended;
  }

  async rows<Row>(statement: Select<Row>, signal = NEVER_ABORTED): Promise<readonly Row[]> {
    // Only streams can bind values while other statements bind theirs.
    const hasValues = Object.keys(statement.values).length > 0;
    const blocks = hasValues
      ? this.#blocks(statement, 'JSONEachRow', signal)
      : [await this.#whole(statement, 'JSONEachRow', signal)];
    return await parseRows(statement, blocks);
  }

  get queries(): QueryUsage {
    return valuesByClass((name) => this.#readers[name].usage);
  }

  /** Rows that queries have returned so far; the engine does not count those that it writes to files. */
  get rowCounts(): Readonly<Record<QueryClass, number>> {
    return this.#rows;
  }

  /** Always defined, because no other process can write to the directory. */
  get versions(): DataVersions {
    return this.#versions.current;
  }

  async execute({ text, values }: Statement, options: ExecuteOptions = {}): Promise<void> {
    const signal = options.signal ?? NEVER_ABORTED;
    await using lease = await this.#lease(this.#writers, signal);
    const { changes = 'all' } = options;
    this.#versions.advance(changes);
    const ended = new AbortController();
    void reportProgress(this, lease.name, options, ended.signal);
    try {
      // The engine mixes up the values of concurrent statements, so statements with values run synchronously.
      if (Object.keys(values).length === 0) await lease.session.queryAsync(text);
      else lease.session.queryBind(text, { ...values });
      lease.isDone = true;
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error);
    } finally {
      ended.abort();
      this.#versions.advance(changes);
    }
  }

  /** Changes no data, so the data versions stay the same. */
  releaseMemory = async (): Promise<void> => {
    await using lease = await this.#lease(this.#writers, NEVER_ABORTED);
    await lease.session.queryAsync('SYSTEM JEMALLOC PURGE');
    lease.isDone = true;
  };

  each(): readonly Engine[] {
    return [this];
  }

  async close(): Promise<void> {
    const pools = [...Object.values(this.#readers), this.#writers];
    for (const session of pools.flatMap((pool) => pool.all())) session.close();
    this.#control.close();
    await this.#waitUntilIdle();
  }

  async *#blocks(statement: Statement, format: string, signal: AbortSignal) {
    const queries = queryClassOf(statement);
    await using lease = await this.#lease(this.#readers[queries], signal, statement);
    try {
      const { text, values } = statement;
      const stream = lease.session.queryStreamBind(text, { ...values }, { format });
      for await (const block of stream) {
        signal.throwIfAborted();
        this.#rows[queries] += block.numRows;
        yield noteRows(block.raw(), block.numRows);
      }
      lease.isDone = true;
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error);
    }
  }

  /** Runs a statement without values, and returns its whole response. A stream would plan it on the main thread. */
  async #whole(statement: Statement, format: string, signal: AbortSignal): Promise<Uint8Array> {
    const queries = queryClassOf(statement);
    await using lease = await this.#lease(this.#readers[queries], signal, statement);
    try {
      const result = await lease.session.queryAsync(statement.text, { format });
      lease.isDone = true;
      signal.throwIfAborted();
      const bytes = result.bytes();
      this.#rows[queries] += linesIn(bytes);
      return bytes;
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error);
    }
  }

  async #lease(pool: Pool<Session>, signal: AbortSignal, claim: PermitRequest = {}) {
    const { priority, client } = claim;
    return await leaseSession({ pool, control: this.#control, signal, priority, client });
  }
}
