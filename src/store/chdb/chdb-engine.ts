/** The embedded engine: ClickHouse in this process, on one data directory. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from 'chdb';
import { command, literal, type Statement } from '../../plan/sql.ts';
import { type Engine, failureOf, type Watch } from '../engine.ts';
import { ASKERS, EXPORTERS, type Lease, Pool, READERS, SUMMERS } from '../pool.ts';
import { inlined } from './inlined.ts';
import { EXPORTING, OLDER_ANALYZER, READ_ONLY, READING, SUMMING } from './settings-of-readers.ts';

const WRITERS = { kind: 'writer', size: 4, longestQueue: 64 };

/** Milliseconds after which a query that is to stop is killed once more. */
const NEXT_KILL = 100;

/** Milliseconds between two looks at how far a statement is. */
const PROGRESS_INTERVAL = 200;

type OutgoingPath = NonNullable<Statement['file']>;

const never = new AbortController().signal;

export class ChdbEngine implements Engine {
  readonly opensFiles = true;
  readonly #control: Session;
  readonly #writers: Pool<Session>;
  readonly #readers: Pool<Session>;
  readonly #askers: Pool<Session>;
  readonly #summers: Pool<Session>;
  readonly #exporters: Pool<Session>;
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
    this.#readers = new Pool({
      ...READERS,
      open: named([...READING, OLDER_ANALYZER, READ_ONLY]),
    });
    this.#askers = new Pool({ ...ASKERS, open: named([...READING, READ_ONLY]) });
    this.#summers = new Pool({ ...SUMMERS, open: named([...SUMMING, READ_ONLY]) });
    this.#exporters = new Pool({ ...EXPORTERS, open: named([...EXPORTING, READ_ONLY]) });
    this.#settled = settled;
  }

  async *read(statement: Statement, signal: AbortSignal): AsyncIterable<Uint8Array> {
    if (statement.file === undefined) {
      yield* this.#blocks(this.#poolFor(statement), statement, 'RawBLOB', signal);
    } else await this.#write(statement, statement.file, signal);
  }

  #poolFor({ rows, isBroad }: Statement): Pool<Session> {
    if (isBroad) return this.#summers;
    return rows === undefined ? this.#askers : this.#readers;
  }

  /** The engine writes files by itself, but not in the midst of a stream: values cannot be bound then. */
  async #write(statement: Statement, { format, path }: OutgoingPath, signal: AbortSignal) {
    const text = `${inlined(statement)}\nINTO OUTFILE ${literal(path)} TRUNCATE FORMAT ${format}`;
    const lease = await this.#exporters.lend(signal);
    const stopping = this.#stopping(lease, signal);
    let isWritten = false;
    try {
      await lease.resource.queryAsync(text);
      isWritten = true;
      signal.throwIfAborted();
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error);
    } finally {
      await stopping.over();
      if (!isWritten) await this.#forget(lease);
      this.#exporters.giveBack(lease);
    }
  }

  get isContended(): boolean {
    return this.#readers.isContended;
  }

  async rows(statement: Statement, signal = never): Promise<readonly unknown[]> {
    const answer = this.#blocks(this.#poolFor(statement), statement, 'JSONEachRow', signal);
    const blocks = await Array.fromAsync(answer);
    const lines = Buffer.concat(blocks).toString().split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  }

  /** Nobody else writes to the directory. */
  get state(): number {
    return this.#state;
  }

  async execute({ text, values }: Statement, watch: Watch = {}): Promise<void> {
    const signal = watch.signal ?? never;
    const lease = await this.#writers.lend(signal);
    const stopping = this.#stopping(lease, signal);
    this.#state += 1;
    const looks = setInterval(() => void this.#look(lease, watch), PROGRESS_INTERVAL);
    try {
      // Only a statement without values may run beside others: the engine mixes up bound values.
      if (Object.keys(values).length === 0) await lease.resource.queryAsync(text);
      else lease.resource.queryBind(text, { ...values });
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error);
    } finally {
      clearInterval(looks);
      await stopping.over();
      this.#state += 1;
      this.#writers.giveBack(lease);
    }
  }

  each(): readonly Engine[] {
    return [this];
  }

  async close(): Promise<void> {
    const pools = [this.#readers, this.#askers, this.#summers, this.#exporters, this.#writers];
    for (const session of pools.flatMap((pool) => pool.all())) session.close();
    this.#control.close();
    await this.#settled();
  }

  async *#blocks(pool: Pool<Session>, statement: Statement, format: string, signal: AbortSignal) {
    const lease = await pool.lend(signal, statement.continues);
    const stopping = this.#stopping(lease, signal);
    let state: 'left' | 'ended' | 'failed' = 'left';
    try {
      const { text, values } = statement;
      const stream = lease.resource.queryStreamBind(text, { ...values }, { format });
      for await (const block of stream) {
        signal.throwIfAborted();
        yield block.raw();
      }
      state = 'ended';
    } catch (error) {
      state = 'failed';
      signal.throwIfAborted();
      throw failureOf(error);
    } finally {
      if (state === 'left') stopping.stop();
      await stopping.over();
      if (state === 'failed') await this.#forget(lease);
      pool.giveBack(lease);
    }
  }

  /** A failed query stays in the engine with its memory until its session is asked something else. */
  async #forget({ resource }: Lease<Session>): Promise<void> {
    await resource.queryAsync('SELECT 1').catch(() => undefined);
  }

  /** Stops what runs for a lease when the signal is aborted, until it is over. */
  #stopping(lease: Lease<Session>, signal: AbortSignal) {
    const ended = new AbortController();
    // What has not quite begun is not seen by the first kill.
    const kill = async () => {
      do await this.#stop(lease);
      while (await delay(NEXT_KILL, true, { signal: ended.signal }).catch(() => false));
    };
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= kill();
    };
    signal.addEventListener('abort', stop, { once: true });
    // A kill that comes late would meet the next reader's query.
    const over = async () => {
      ended.abort();
      signal.removeEventListener('abort', stop);
      await stopped;
    };
    return { stop, over };
  }

  /** Cancelling a stream waits for its block; killing the query does not. */
  async #stop({ name }: Lease<Session>): Promise<void> {
    const text = `KILL QUERY WHERE Settings['log_comment'] = '${name}' ASYNC`;
    await this.#control.queryAsync(text).catch(() => undefined);
  }

  async #look({ name }: Lease<Session>, { onProgress }: Watch): Promise<void> {
    if (onProgress === undefined) return;
    const text = `SELECT read_bytes FROM system.processes WHERE Settings['log_comment'] = '${name}'`;
    // How far it is, is not worth a failure.
    const [row] = (await this.rows(command(text)).catch(() => [])) as { read_bytes: number }[];
    if (row !== undefined) onProgress(row.read_bytes);
  }
}
