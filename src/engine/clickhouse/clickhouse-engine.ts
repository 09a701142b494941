/** The engine on a ClickHouse server or cluster, over HTTP. */

import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ClickHouseSettings, ExecResult } from '@clickhouse/client';
import type { Select } from '../../plan/select.ts';
import type { Statement } from '../../plan/sql.ts';
import { type Engine, EngineFailure, type ExecuteOptions, failureOf } from '../engine.ts';
import { NEVER_ABORTED } from '../never-aborted.ts';
import { parseRows } from '../parse-rows.ts';
import type { QueryUsage } from '../query-class.ts';
import type { ClickHouseAddress } from './clickhouse-address.ts';
import { BodyFailure, countBytes } from './count-bytes.ts';
import { startHeartbeat } from './heartbeat.ts';
import { type Host, Hosts } from './hosts.ts';
import { killQuery, type SentQuery } from './kill-query.ts';
import { withoutException } from './mid-stream-exception.ts';
import { QuerySemaphores } from './query-semaphores.ts';
import { blocksOfWholeRows } from './row-blocks.ts';
import { readingSettings, WRITE_SETTINGS } from './server-settings.ts';

const EXCEPTION_TAG = 'x-clickhouse-exception-tag';

interface ServerQuery extends Statement {
  readonly settings: ClickHouseSettings;
  readonly options: ExecuteOptions;
}

type ServerResponse = ExecResult<Readable> & SentQuery;

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
      this.#bytes(statement, format, signal, this.#hosts.roundRobin()),
    );
    if (file !== undefined) await writeFile(file.path, bytes, { mode: 0o600, signal });
    else if (boundaries === undefined) yield* bytes;
    else yield* blocksOfWholeRows(bytes, boundaries);
  }

  get isContended(): boolean {
    return this.#semaphores.isContended;
  }

  get queries(): QueryUsage {
    return this.#semaphores.usage;
  }

  async rows<Row>(statement: Select<Row>, signal = NEVER_ABORTED): Promise<readonly Row[]> {
    const blocks = this.#semaphores.read(statement, signal, () =>
      this.#bytes(statement, 'JSONEachRow', signal, this.#hosts.byPreference()),
    );
    return await parseRows(statement, blocks);
  }

  async execute({ text, values }: Statement, options: ExecuteOptions = {}): Promise<void> {
    const query = { text, values, settings: WRITE_SETTINGS, options };
    const response = await this.#send(query, this.#hosts.byPreference());
    const { stream, heartbeat } = response;
    try {
      for await (const _ of stream) options.signal?.throwIfAborted();
    } catch (error) {
      if (heartbeat.signal.aborted) await killQuery(response);
      throw heartbeat.failure ?? error;
    }
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
    this.#sendsSettings ??= this.#canSendSettings();
    const settings = (await this.#sendsSettings) ? readingSettings(statement) : {};
    const { text, values } = statement;
    const query = { text: `${text}\nFORMAT ${format}`, values, settings, options: { signal } };
    const response = await this.#send(query, hosts);
    const { stream, host, heartbeat, response_headers } = response;
    const tag = response_headers[EXCEPTION_TAG];
    let isAbandoned = true;
    try {
      yield* withoutException(stream, typeof tag === 'string' ? tag : undefined);
      isAbandoned = false;
    } catch (error) {
      signal.throwIfAborted();
      isAbandoned = heartbeat.failure !== undefined;
      this.#hosts.noteFailure(host);
      throw heartbeat.failure ?? failureOf(error);
    } finally {
      stream.destroy();
      if (isAbandoned) await killQuery(response);
    }
  }

  /** Tries one server after another until one starts to respond. */
  async #send(
    { text, values, settings, options }: ServerQuery,
    hosts: Iterable<Host>,
  ): Promise<ServerResponse> {
    const { signal = NEVER_ABORTED } = options;
    let failure = new EngineFailure('No server is configured.');
    for (const host of hosts) {
      signal.throwIfAborted();
      const query_id = randomUUID();
      const heartbeat = startHeartbeat(host, signal, () => this.#hosts.noteFailure(host));
      try {
        const response = await host.client.exec({
          query: text,
          query_params: { ...values },
          query_id,
          clickhouse_settings: settings,
          abort_signal: heartbeat.signal,
          ...(options.body ? { values: countBytes(options.body(), options.onProgress) } : {}),
        });
        this.#hosts.noteSuccess(host);
        // The client listens to the signal only until the response starts.
        response.stream.once('close', heartbeat.stop);
        const stream = addAbortSignal(heartbeat.signal, response.stream);
        return { ...response, stream, host, heartbeat };
      } catch (error) {
        heartbeat.stop();
        if (heartbeat.signal.aborted) await killQuery({ host, query_id, heartbeat });
        signal.throwIfAborted();
        if (error instanceof BodyFailure) throw error.cause;
        failure = heartbeat.failure ?? exceptionOf(error);
        if (!failure.isTransient) throw failure;
        this.#hosts.noteFailure(host);
      }
    }
    throw failure;
  }

  /** A read-only user cannot change settings. */
  async #canSendSettings(): Promise<boolean> {
    const level = "SELECT toString(getSetting('readonly')) FORMAT RawBLOB";
    try {
      const query = { text: level, values: {}, settings: {}, options: {} };
      const { stream } = await this.#send(query, this.#hosts.roundRobin());
      return (await text(stream)) !== '1';
    } catch (error) {
      this.#sendsSettings = undefined;
      throw failureOf(error);
    }
  }
}

/** Errors of the client have the ClickHouse error code in a separate property. */
function exceptionOf(error: unknown): EngineFailure {
  if (error instanceof Error && 'code' in error && /^\d+$/.test(String(error.code))) {
    return failureOf(new Error(`Code: ${error.code}. ${error.message}`));
  }
  return failureOf(error);
}
