/** A ClickHouse server or cluster over HTTP: the same statements and the same bytes as embedded. */

import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ClickHouseSettings, ExecResult } from '@clickhouse/client';
import type { Select } from '../../plan/select.ts';
import type { Statement } from '../../plan/sql.ts';
import { type Engine, EngineFailure, failureOf, type Watch } from '../engine.ts';
import { NEVER_ABORTED } from '../never-aborted.ts';
import { parseRows } from '../parse-rows.ts';
import type { ClickHouseAddress } from './clickhouse-address.ts';
import { BodyFailure, counted } from './counted-stream.ts';
import { lifeline } from './heartbeat.ts';
import { type Host, Hosts } from './hosts.ts';
import { withoutException } from './mid-stream-exception.ts';
import { QuerySemaphores } from './query-semaphores.ts';
import { readingSettings } from './server-settings.ts';
import { wholeRows } from './whole-rows.ts';

/** What is written is there, on every replica, when it is said to be. */
const WRITING: ClickHouseSettings = {
  distributed_foreground_insert: 1,
  // Where each shard writes by itself what it reads, it writes to one replica only.
  parallel_distributed_insert_select: '0',
};

const EXCEPTION_TAG = 'x-clickhouse-exception-tag';

interface Question extends Statement {
  readonly settings: ClickHouseSettings;
  readonly watch: Watch;
}

type Answer = ExecResult<Readable> & { readonly host: Host };

/** Milliseconds that a server has to stop a query, before it is left to see that nobody reads. */
const STOP_LIMIT = 5000;

export class ClickHouseEngine implements Engine {
  readonly opensFiles = false;
  readonly #address: ClickHouseAddress;
  readonly #hosts: Hosts;
  readonly #semaphores = new QuerySemaphores();
  #each: readonly ClickHouseEngine[] | undefined;
  #sendsSettings: Promise<boolean> | undefined;

  constructor(address: ClickHouseAddress) {
    this.#address = address;
    this.#hosts = new Hosts(address);
  }

  async *read(statement: Statement, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const { boundaries, file } = statement;
    const format = file?.format ?? 'RawBLOB';
    const bytes = this.#semaphores.read(statement, signal, () =>
      this.#bytes(statement, format, signal, this.#hosts.inTurn()),
    );
    if (file !== undefined) await writeFile(file.path, bytes, { mode: 0o600, signal });
    else if (boundaries === undefined) yield* bytes;
    else yield* wholeRows(bytes, boundaries);
  }

  get isContended(): boolean {
    return this.#semaphores.isContended;
  }

  async rows<Row>(statement: Select<Row>, signal = NEVER_ABORTED): Promise<readonly Row[]> {
    const blocks = this.#semaphores.read(statement, signal, () =>
      this.#bytes(statement, 'JSONEachRow', signal, this.#hosts.inOrder()),
    );
    return await parseRows(statement, blocks);
  }

  async execute(statement: Statement, watch: Watch = {}): Promise<void> {
    const question = { text: statement.text, values: statement.values, settings: WRITING, watch };
    const { stream } = await this.#ask(question, this.#hosts.inOrder());
    for await (const _ of stream) watch.signal?.throwIfAborted();
  }

  each(): readonly ClickHouseEngine[] {
    const { hosts } = this.#address;
    this.#each ??=
      hosts.length === 1
        ? [this]
        : hosts.map((host) => new ClickHouseEngine({ ...this.#address, hosts: [host] }));
    return this.#each;
  }

  async close(): Promise<void> {
    const others = this.#each?.filter((server) => server !== this) ?? [];
    await Promise.all([this.#hosts.close(), ...others.map((server) => server.close())]);
  }

  async *#bytes(
    statement: Statement,
    format: string,
    signal: AbortSignal,
    hosts: Iterable<Host>,
  ): AsyncGenerator<Buffer> {
    this.#sendsSettings ??= this.#maySendSettings();
    const settings = (await this.#sendsSettings) ? readingSettings(statement) : {};
    const { text, values } = statement;
    const question = { text: `${text}\nFORMAT ${format}`, values, settings, watch: { signal } };
    const { stream, host, query_id, response_headers } = await this.#ask(question, hosts);
    const tag = response_headers[EXCEPTION_TAG];
    let isLeft = true;
    try {
      yield* withoutException(stream, typeof tag === 'string' ? tag : undefined);
      isLeft = false;
    } catch (error) {
      signal.throwIfAborted();
      isLeft = false;
      this.#hosts.failed(host);
      throw failureOf(error);
    } finally {
      stream.destroy();
      if (isLeft) await this.#stop(host, query_id);
    }
  }

  /** Asks one server after the other until one begins to answer. */
  async #ask({ text, values, settings, watch }: Question, hosts: Iterable<Host>): Promise<Answer> {
    const { signal = NEVER_ABORTED } = watch;
    let failure = new EngineFailure('No server is configured.');
    for (const host of hosts) {
      signal.throwIfAborted();
      const query_id = randomUUID();
      const line = lifeline(host, signal);
      try {
        const answer = await host.client.exec({
          query: text,
          query_params: { ...values },
          query_id,
          clickhouse_settings: settings,
          abort_signal: line.signal,
          ...(watch.body ? { values: counted(watch.body(), watch.onProgress) } : {}),
        });
        this.#hosts.answered(host);
        // The client itself heeds the signal only until the answer begins.
        answer.stream.once('close', line.letGo);
        return { ...answer, stream: addAbortSignal(line.signal, answer.stream), host };
      } catch (error) {
        line.letGo();
        if (signal.aborted) await this.#stop(host, query_id);
        signal.throwIfAborted();
        if (error instanceof BodyFailure) throw error.cause;
        failure = exceptionOf(error);
        if (!failure.isPassing) throw failure;
        this.#hosts.failed(host);
      }
    }
    throw failure;
  }

  /** A user that may only read cannot send settings either. */
  async #maySendSettings(): Promise<boolean> {
    const level = "SELECT toString(getSetting('readonly')) FORMAT RawBLOB";
    try {
      const question = { text: level, values: {}, settings: {}, watch: {} };
      const { stream } = await this.#ask(question, this.#hosts.inTurn());
      return (await text(stream)) !== '1';
    } catch (error) {
      this.#sendsSettings = undefined;
      throw failureOf(error);
    }
  }

  /** A closed connection stops a query only sooner or later; this stops it at once. */
  async #stop({ client }: Host, queryId: string): Promise<void> {
    await client
      .command({
        query: 'KILL QUERY WHERE query_id = {id:String}',
        query_params: { id: queryId },
        abort_signal: AbortSignal.timeout(STOP_LIMIT),
      })
      .catch(() => undefined);
  }
}

/** The client's errors carry the engine's number apart from the message. */
function exceptionOf(error: unknown): EngineFailure {
  if (error instanceof Error && 'code' in error && /^\d+$/.test(String(error.code))) {
    return failureOf(new Error(`Code: ${error.code}. ${error.message}`));
  }
  return failureOf(error);
}
