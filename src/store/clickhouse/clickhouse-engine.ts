/** A ClickHouse server or cluster over HTTP: the same statements and the same bytes as embedded. */

import { randomUUID } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';
import type { ClickHouseSettings, ExecResult } from '@clickhouse/client';
import type { Statement } from '../../plan/sql.ts';
import { type Engine, EngineFailure, failureOf, type Watch } from '../engine.ts';
import type { ClickHouseAddress } from './clickhouse-address.ts';
import { guardedBytes } from './guarded-bytes.ts';
import { type Host, Hosts } from './hosts.ts';
import { wholeRows } from './whole-rows.ts';

/** What reading asks of the server; a user with `readonly = 1` has these in the profile instead. */
const READING: ClickHouseSettings = {
  max_threads: 1,
  max_block_size: '8192',
  do_not_merge_across_partitions_select_final: 1,
  cancel_http_readonly_queries_on_client_close: 1,
  wait_end_of_query: 0,
};

const EXCEPTION_TAG = 'x-clickhouse-exception-tag';

interface Question extends Statement {
  readonly settings: ClickHouseSettings;
  readonly watch: Watch;
}

type Answer = ExecResult<Readable> & { readonly host: Host };

const never = new AbortController().signal;

export class ClickHouseEngine implements Engine {
  readonly opensFiles = false;
  readonly #hosts: Hosts;
  #reading: Promise<ClickHouseSettings> | undefined;
  #change: Promise<unknown> = Promise.resolve();

  constructor(address: ClickHouseAddress) {
    this.#hosts = new Hosts(address);
  }

  async *read(statement: Statement, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const bytes = this.#bytes(statement, 'RawBLOB', signal, this.#hosts.inTurn());
    if (statement.rowLead === undefined) yield* bytes;
    else yield* wholeRows(bytes, statement.rowLead);
  }

  async rows(statement: Statement): Promise<readonly unknown[]> {
    const blocks = await Array.fromAsync(
      this.#bytes(statement, 'JSONEachRow', never, this.#hosts.inOrder()),
    );
    const lines = Buffer.concat(blocks).toString().split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  }

  async execute(statement: Statement, watch: Watch = {}): Promise<void> {
    const question = { text: statement.text, values: statement.values, settings: {}, watch };
    const { stream } = await this.#ask(question, this.#hosts.inOrder());
    for await (const _ of stream) watch.signal?.throwIfAborted();
  }

  async unobserved<Result>(change: () => Promise<Result>): Promise<Result> {
    const run = this.#change.then(change, change);
    this.#change = run.catch(() => undefined);
    return await run;
  }

  async close(): Promise<void> {
    await this.#hosts.close();
  }

  async *#bytes(
    statement: Statement,
    format: string,
    signal: AbortSignal,
    hosts: Iterable<Host>,
  ): AsyncGenerator<Buffer> {
    this.#reading ??= this.#readingSettings();
    const settings = await this.#reading;
    const leaving = new AbortController();
    const both = AbortSignal.any([signal, leaving.signal]);
    const { text, values } = statement;
    const watch = { signal: both };
    const question = {
      text: `${text}
FORMAT ${format}`,
      values,
      settings,
      watch,
    };
    const { stream, host, query_id, response_headers } = await this.#ask(question, hosts);
    const tag = response_headers[EXCEPTION_TAG];
    let isLeft = true;
    try {
      yield* guardedBytes(stream, typeof tag === 'string' ? tag : undefined);
      isLeft = false;
    } catch (error) {
      signal.throwIfAborted();
      this.#hosts.failed(host);
      throw failureOf(error);
    } finally {
      leaving.abort();
      stream.destroy();
      if (isLeft) await this.#stop(host, query_id);
    }
  }

  /** Asks one server after the other until one begins to answer. */
  async #ask({ text, values, settings, watch }: Question, hosts: Iterable<Host>): Promise<Answer> {
    const { signal = never } = watch;
    let failure = new EngineFailure('No server is configured.');
    for (const host of hosts) {
      signal.throwIfAborted();
      const query_id = randomUUID();
      try {
        const answer = await host.client.exec({
          query: text,
          query_params: { ...values },
          query_id,
          clickhouse_settings: settings,
          abort_signal: signal,
          ...(watch.body ? { values: counted(watch.body(), watch.onProgress) } : {}),
        });
        this.#hosts.answered(host);
        return { ...answer, host };
      } catch (error) {
        if (signal.aborted) await this.#stop(host, query_id);
        signal.throwIfAborted();
        failure = exceptionOf(error);
        if (!failure.isPassing) throw failure;
        this.#hosts.failed(host);
      }
    }
    throw failure;
  }

  /** A user that may only read cannot send settings either. */
  async #readingSettings(): Promise<ClickHouseSettings> {
    const text = "SELECT toString(getSetting('readonly')) FORMAT RawBLOB";
    try {
      const question = { text, values: {}, settings: {}, watch: {} };
      const { stream } = await this.#ask(question, this.#hosts.inTurn());
      const level = Buffer.concat(
        await Array.fromAsync(stream as AsyncIterable<Buffer>),
      ).toString();
      return level === '1' ? {} : READING;
    } catch (error) {
      this.#reading = undefined;
      throw failureOf(error);
    }
  }

  /** A closed connection stops a query only sooner or later; this stops it at once. */
  async #stop({ client }: Host, queryId: string): Promise<void> {
    await client
      .command({ query: 'KILL QUERY WHERE query_id = {id:String}', query_params: { id: queryId } })
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

/** A stream that tells how much of it has gone. */
function counted(body: Readable, onProgress: Watch['onProgress']): Readable {
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      onProgress?.(bytes);
      done(null, chunk);
    },
  });
  pipeline(body, count, () => undefined);
  return count;
}
