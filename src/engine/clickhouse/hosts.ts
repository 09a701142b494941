/** The servers of a cluster: which of them to ask, and which to leave alone for a while. */

import { type ClickHouseClient, createClient } from '@clickhouse/client';
import type { ClickHouseAddress } from './clickhouse-address.ts';

/** Milliseconds for which a server that failed is asked only if no other is left. */
const REST = 2000;

/** Below the server's own limit for idle connections, so that no request meets a closing one. */
const IDLE_SOCKET = 2000;

/** Longer than any answer: a stalled one is cut by whoever watches its reader. */
const NO_TIMEOUT = 2 ** 31 - 1;

/** The engine bounds how many it asks; a query that must be stopped waits for no connection. */
const MOST_CONNECTIONS = Number.MAX_SAFE_INTEGER;

export interface Host {
  readonly url: string;
  readonly client: ClickHouseClient;
}

export class Hosts {
  readonly #all: readonly Host[];
  readonly #restsUntil = new Map<Host, number>();
  #turn = 0;

  constructor({ hosts, username, password, database }: ClickHouseAddress) {
    this.#all = hosts.map((url) => ({
      url,
      client: createClient({
        url,
        username,
        password,
        database,
        request_timeout: NO_TIMEOUT,
        max_open_connections: MOST_CONNECTIONS,
        keep_alive: { enabled: true, idle_socket_ttl: IDLE_SOCKET },
        log: { level: 127 },
      }),
    }));
  }

  /** All servers once, in turns, so that each gets its share of the reading. */
  inTurn(): Generator<Host> {
    this.#turn = (this.#turn + 1) % this.#all.length;
    const rotated = [...this.#all.slice(this.#turn), ...this.#all.slice(0, this.#turn)];
    return this.#healthyFirst(rotated);
  }

  /** All servers once, in the order in which they are named: what belongs together goes to the same. */
  inOrder(): Generator<Host> {
    return this.#healthyFirst(this.#all);
  }

  /** Those that failed lately come last. */
  *#healthyFirst(hosts: readonly Host[]): Generator<Host> {
    const isResting = (host: Host) => (this.#restsUntil.get(host) ?? 0) > Date.now();
    yield* hosts.filter((host) => !isResting(host));
    yield* hosts.filter(isResting);
  }

  failed(host: Host): void {
    this.#restsUntil.set(host, Date.now() + REST);
  }

  answered(host: Host): void {
    this.#restsUntil.delete(host);
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map(({ client }) => client.close()));
  }
}
