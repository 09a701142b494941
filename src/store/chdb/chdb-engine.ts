/** The embedded engine: ClickHouse in this process, on one data directory. */

import type { Session } from 'chdb';
import { command, type Statement } from '../../plan/sql.ts';
import { type Engine, failureOf, type Watch } from '../engine.ts';
import { type Lease, SessionPool } from './session-pool.ts';

/** How many answers the engine gives at a time; further readers wait for their turn. */
const READERS = 32;
const WRITERS = 4;

/** Milliseconds between two looks at how far a statement is. */
const PROGRESS_INTERVAL = 200;

/** What every reader's session is set to before it is made read-only. */
const READING = [
  'max_threads = 1',
  'max_block_size = 8192',
  'do_not_merge_across_partitions_select_final = 1',
  'max_bytes_before_external_sort = 268435456',
  'max_bytes_ratio_before_external_sort = 0',
  'readonly = 1',
];

const never = new AbortController().signal;

export class ChdbEngine implements Engine {
  readonly #control: Session;
  readonly #writers: SessionPool;
  readonly #readers: SessionPool;
  readonly #settled: () => Promise<void>;
  #change: Promise<unknown> = Promise.resolve();

  /** `settled` waits until nothing runs in the engine. */
  constructor(open: () => Session, settled: () => Promise<void>) {
    const named = (settings: readonly string[]) => (name: string) => {
      const session = open();
      for (const setting of [`log_comment = '${name}'`, ...settings])
        session.query(`SET ${setting}`);
      return session;
    };
    this.#control = open();
    this.#writers = new SessionPool('writer', WRITERS, named([]));
    this.#readers = new SessionPool('reader', READERS, named(READING));
    this.#settled = settled;
  }

  async *read(statement: Statement, signal: AbortSignal): AsyncIterable<Uint8Array> {
    await this.#change;
    yield* this.#blocks(statement, 'RawBLOB', signal);
  }

  async rows(statement: Statement): Promise<readonly unknown[]> {
    const blocks = await Array.fromAsync(this.#blocks(statement, 'JSONEachRow', never));
    const lines = Buffer.concat(blocks).toString().split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  }

  async execute({ text, values }: Statement, watch: Watch = {}): Promise<void> {
    const signal = watch.signal ?? never;
    const lease = await this.#writers.lend(signal);
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= this.#stop(lease);
    };
    signal.addEventListener('abort', stop, { once: true });
    const looks = setInterval(() => void this.#look(lease, watch), PROGRESS_INTERVAL);
    try {
      // Only a statement without values may run beside others: the engine mixes up bound values.
      if (Object.keys(values).length === 0) await lease.session.queryAsync(text);
      else lease.session.queryBind(text, { ...values });
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error);
    } finally {
      clearInterval(looks);
      signal.removeEventListener('abort', stop);
      await stopped;
      this.#writers.giveBack(lease);
    }
  }

  async unobserved<Result>(change: () => Promise<Result>): Promise<Result> {
    const run = this.#change.then(change, change);
    this.#change = run.catch(() => undefined);
    return await run;
  }

  async close(): Promise<void> {
    this.#readers.close();
    this.#writers.close();
    this.#control.close();
    await this.#settled();
  }

  async *#blocks(statement: Statement, format: string, signal: AbortSignal) {
    const lease = await this.#readers.lend(signal);
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= this.#stop(lease);
    };
    signal.addEventListener('abort', stop, { once: true });
    let state: 'left' | 'ended' | 'failed' = 'left';
    try {
      const { text, values } = statement;
      const stream = lease.session.queryStreamBind(text, { ...values }, { format });
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
      signal.removeEventListener('abort', stop);
      if (state === 'left') stop();
      // A kill that comes late would meet the next reader's query.
      await stopped;
      if (state === 'failed') await this.#forget(lease);
      this.#readers.giveBack(lease);
    }
  }

  /** A failed query stays in the engine with its memory until its session is asked something else. */
  async #forget({ session }: Lease): Promise<void> {
    await session.queryAsync('SELECT 1').catch(() => undefined);
  }

  /** Cancelling a stream waits for its block; killing the query does not. */
  async #stop({ name }: Lease): Promise<void> {
    const text = `KILL QUERY WHERE Settings['log_comment'] = '${name}' ASYNC`;
    await this.#control.queryAsync(text).catch(() => undefined);
  }

  async #look({ name }: Lease, { onProgress }: Watch): Promise<void> {
    if (onProgress === undefined) return;
    const text = `SELECT read_bytes FROM system.processes WHERE Settings['log_comment'] = '${name}'`;
    const [row] = (await this.rows(command(text))) as { read_bytes: number }[];
    if (row !== undefined) onProgress(row.read_bytes);
  }
}
