/** The embedded engine: ClickHouse in this process, on one data directory. */

import type { Session } from 'chdb';
import { command, type Statement } from '../../plan/sql.ts';
import { type Engine, failureOf, type Watch } from '../engine.ts';
import { ASKERS, type Lease, Pool, READERS, SUMMERS } from '../pool.ts';

const WRITERS = { kind: 'writer', size: 4, longestQueue: 64 };

/** Milliseconds between two looks at how far a statement is. */
const PROGRESS_INTERVAL = 200;

/**
 * What every session that reads is set to before it is made read-only.
 *
 * Blocks of a megabyte are the largest that hundreds of slow readers can have each.
 */
const READING = [
  'max_threads = 1',
  'max_block_size = 8192',
  'preferred_block_size_bytes = 1000000',
  'do_not_merge_across_partitions_select_final = 1',
  'max_bytes_before_external_sort = 268435456',
  'max_bytes_ratio_before_external_sort = 0',
];
/** The same of those that add up on every core: what has no room in memory is kept on the disk meanwhile. */
const SUMMING = [
  'do_not_merge_across_partitions_select_final = 1',
  'max_bytes_before_external_group_by = 268435456',
  'max_bytes_ratio_before_external_group_by = 0',
  'max_bytes_before_external_sort = 268435456',
  'max_bytes_ratio_before_external_sort = 0',
];
const READ_ONLY = 'readonly = 1';

/** Plans a report's statement as the newer one does, in less time, which is most of a small one's. */
const OLDER_ANALYZER = 'enable_analyzer = 0';

const never = new AbortController().signal;

export class ChdbEngine implements Engine {
  readonly opensFiles = true;
  readonly #control: Session;
  readonly #writers: Pool<Session>;
  readonly #readers: Pool<Session>;
  readonly #askers: Pool<Session>;
  readonly #summers: Pool<Session>;
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
    this.#settled = settled;
  }

  async *read(statement: Statement, signal: AbortSignal): AsyncIterable<Uint8Array> {
    yield* this.#blocks(this.#poolFor(statement), statement, 'RawBLOB', signal);
  }

  #poolFor({ rows, isBroad }: Statement): Pool<Session> {
    if (isBroad) return this.#summers;
    return rows === undefined ? this.#askers : this.#readers;
  }

  get isContended(): boolean {
    return this.#readers.isContended;
  }

  async rows(statement: Statement): Promise<readonly unknown[]> {
    const answer = this.#blocks(this.#askers, statement, 'JSONEachRow', never);
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
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= this.#stop(lease);
    };
    this.#state += 1;
    signal.addEventListener('abort', stop, { once: true });
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
      signal.removeEventListener('abort', stop);
      await stopped;
      this.#state += 1;
      this.#writers.giveBack(lease);
    }
  }

  each(): readonly Engine[] {
    return [this];
  }

  async close(): Promise<void> {
    const pools = [this.#readers, this.#askers, this.#summers, this.#writers];
    for (const session of pools.flatMap((pool) => pool.all())) session.close();
    this.#control.close();
    await this.#settled();
  }

  async *#blocks(pool: Pool<Session>, statement: Statement, format: string, signal: AbortSignal) {
    const lease = await pool.lend(signal, statement.continues);
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= this.#stop(lease);
    };
    signal.addEventListener('abort', stop, { once: true });
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
      signal.removeEventListener('abort', stop);
      if (state === 'left') stop();
      // A kill that comes late would meet the next reader's query.
      await stopped;
      if (state === 'failed') await this.#forget(lease);
      pool.giveBack(lease);
    }
  }

  /** A failed query stays in the engine with its memory until its session is asked something else. */
  async #forget({ resource }: Lease<Session>): Promise<void> {
    await resource.queryAsync('SELECT 1').catch(() => undefined);
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
