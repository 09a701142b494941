/** Load balancing over the servers of a cluster, in which failed servers come last until they answer a ping. */

import { type ClickHouseClient, createClient } from '@clickhouse/client';
import type { ClickHouseAddress } from './clickhouse-address.ts';

/** A failed server is pinged this many milliseconds after its failure, and again at this interval. */
const COOLDOWN = 2000;

/** Milliseconds within which a server must answer a ping. */
const PING_TIMEOUT = 4000;

/**
 * Milliseconds after which an idle connection is closed. Servers keep it open for longer, so that no request uses a
 * connection that the server is closing.
 */
const IDLE_SOCKET_TTL = 2000;

/** No timeout is needed: the heartbeat detects silent servers, and the HTTP server detects stalled clients. */
const NO_TIMEOUT = 2 ** 31 - 1;

/** Not limited. Semaphores limit the queries, and the request that kills a query must not wait for a connection. */
const MAX_CONNECTIONS = Number.MAX_SAFE_INTEGER;

export interface Host {
  readonly url: string;
  readonly client: ClickHouseClient;
}

export class Hosts {
  readonly #all: readonly Host[];
  /** The servers that failed, and when they may be pinged. */
  readonly #failed = new Map<Host, number>();
  #next = 0;

  constructor({ hosts, username, password, database }: ClickHouseAddress) {
    this.#all = hosts.map((url) => ({
      url,
      client: createClient({
        url,
        username,
        password,
        database,
        request_timeout: NO_TIMEOUT,
        max_open_connections: MAX_CONNECTIONS,
        keep_alive: { enabled: true, idle_socket_ttl: IDLE_SOCKET_TTL },
        log: { level: 127 },
      }),
    }));
  }

  /** All servers, starting with another one each time. */
  roundRobin(): Generator<Host> {
    this.#next = (this.#next + 1) % this.#all.length;
    const rotated = [...this.#all.slice(this.#next), ...this.#all.slice(0, this.#next)];
    return this.#healthyFirst(rotated);
  }

  /** All servers in their configured order, so that related statements run on the same server. */
  byPreference(): Generator<Host> {
    return this.#healthyFirst(this.#all);
  }

  /** Servers that failed come last. They are pinged meanwhile, so that no statement has to try one that is silent. */
  *#healthyFirst(hosts: readonly Host[]): Generator<Host> {
    // Computed first, because a server that fails during the iteration must not be tried a second time.
    const failed = hosts.filter((host) => this.#failed.has(host));
    for (const host of failed) void this.#recheck(host);
    yield* hosts.filter((host) => !failed.includes(host));
    yield* failed;
  }

  async #recheck(host: Host): Promise<void> {
    if ((this.#failed.get(host) ?? 0) > performance.now()) return;
    this.noteFailure(host);
    if (await answersPing(host)) this.noteSuccess(host);
  }

  noteFailure(host: Host): void {
    this.#failed.set(host, performance.now() + COOLDOWN);
  }

  noteSuccess(host: Host): void {
    this.#failed.delete(host);
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map(({ client }) => client.close()));
  }
}

export async function answersPing({ client }: Host): Promise<boolean> {
  const abort_signal = AbortSignal.timeout(PING_TIMEOUT);
  return (await client.ping({ select: false, abort_signal })).success;
}
