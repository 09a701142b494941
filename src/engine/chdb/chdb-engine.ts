/** The embedded engine: ClickHouse in this process, on one data directory. */

import type { Session } from 'chdb';
import * as v from 'valibot';
import { Pool } from '../../concurrency/pool.ts';
import type { Priority } from '../../concurrency/priority-queue.ts';
import { INTEGER, type Select, select } from '../../plan/select.ts';
import { command, literal, type Statement } from '../../plan/sql.ts';
import { type Engine, failureOf, type Watch } from '../engine.ts';
import { NEVER_ABORTED } from '../never-aborted.ts';
import { parseRows } from '../parse-rows.ts';
import { QUERY_LIMITS, type QueryClass, queryClassOf } from '../query-limits.ts';
import { inlined } from './inline-values.ts';
import { EXPORTING, OLDER_ANALYZER, READ_ONLY, READING, SUMMING } from './reader-settings.ts';
import { leaseSession, type SessionLease } from './session-lease.ts';

const WRITERS = { name: 'writer', size: 4, maxQueue: 64 };

/** Milliseconds between two looks at how far a statement is. */
const PROGRESS_INTERVAL = 200;

const PROGRESS = v.object({ read_bytes: INTEGER });

type OutgoingPath = NonNullable<Statement['file']>;

export class ChdbEngine implements Engine {
  readonly opensFiles = true;
  readonly #control: Session;
  readonly #writers: Pool<Session>;
  readonly #readers: Readonly<Record<QueryClass, Pool<Session>>>;
  readonly #settled: () => Promise<void>;
  #state = 0;

  /** `settled` waits until nothing runs in the engine. */
  constructor(open: () => Session, settled: () => Promise<void>) {
    const named = (settings: readonly string[]) => (name: string) => {
      const session = open();
      for (const setting of [`log_comment = '${name}'`, ...settings])
        session.query(`SET ${setting}`);
      return session;
    };
    this.#control = open();
    this.#writers = new Pool({ ...WRITERS, open: named([]) });
    const readers = (name: QueryClass, settings: readonly string[]) =>
      new Pool({ ...QUERY_LIMITS[name], name, open: named([...settings, READ_ONLY]) });
    this.#readers = {
      list: readers('list', [...READING, OLDER_ANALYZER]),
      summary: readers('summary', SUMMING),
      file: readers('file', EXPORTING),
      lookup: readers('lookup', READING),
    };
    this.#settled = settled;
  }

  async *read(statement: Statement, signal: AbortSignal): AsyncIterable<Uint8Array> {
    if (statement.file === undefined) {
      yield* this.#blocks(this.#readers[queryClassOf(statement)], statement, 'RawBLOB', signal);
    } else await this.#write(statement, statement.file, signal);
  }

  /** The engine writes files by itself, but not in the midst of a stream: values cannot be bound then. */
  async #write(statement: Statement, { format, path }: OutgoingPath, signal: AbortSignal) {
    const text = `${inlined(statement)}\nINTO OUTFILE ${literal(path)} TRUNCATE FORMAT ${format}`;
    await using lent = await this.#lend(this.#readers.file, signal);
    try {
      await lent.session.queryAsync(text);
      lent.isDone = true;
      signal.throwIfAborted();
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error);
    }
  }

  get isContended(): boolean {
    return this.#readers.list.isContended;
  }

  async rows<Row>(statement: Select<Row>, signal = NEVER_ABORTED): Promise<readonly Row[]> {
    const pool = this.#readers[queryClassOf(statement)];
    return await parseRows(statement, this.#blocks(pool, statement, 'JSONEachRow', signal));
  }

  /** Nobody else writes to the directory. */
  get state(): number {
    return this.#state;
  }

  async execute({ text, values }: Statement, watch: Watch = {}): Promise<void> {
    const signal = watch.signal ?? NEVER_ABORTED;
    await using lent = await this.#lend(this.#writers, signal);
    this.#state += 1;
    const looks = setInterval(() => void this.#look(lent, watch), PROGRESS_INTERVAL);
    try {
      // Only a statement without values may run beside others: the engine mixes up bound values.
      if (Object.keys(values).length === 0) await lent.session.queryAsync(text);
      else lent.session.queryBind(text, { ...values });
      lent.isDone = true;
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error);
    } finally {
      clearInterval(looks);
      this.#state += 1;
    }
  }

  each(): readonly Engine[] {
    return [this];
  }

  async close(): Promise<void> {
    const pools = [...Object.values(this.#readers), this.#writers];
    for (const session of pools.flatMap((pool) => pool.all())) session.close();
    this.#control.close();
    await this.#settled();
  }

  async *#blocks(pool: Pool<Session>, statement: Statement, format: string, signal: AbortSignal) {
    await using lent = await this.#lend(pool, signal, statement.priority);
    try {
      const { text, values } = statement;
      const stream = lent.session.queryStreamBind(text, { ...values }, { format });
      for await (const block of stream) {
        signal.throwIfAborted();
        yield block.raw();
      }
      lent.isDone = true;
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error);
    }
  }

  async #lend(pool: Pool<Session>, signal: AbortSignal, priority?: Priority) {
    return await leaseSession({ pool, control: this.#control, signal, priority });
  }

  async #look({ name }: SessionLease, { onProgress }: Watch): Promise<void> {
    if (onProgress === undefined) return;
    const text = `SELECT read_bytes FROM system.processes WHERE Settings['log_comment'] = '${name}'`;
    // A failure to look must not fail the statement.
    const [row] = await this.rows(select(PROGRESS, command(text))).catch(() => []);
    if (row !== undefined) onProgress(row.read_bytes);
  }
}
