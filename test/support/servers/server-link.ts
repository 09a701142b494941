/**
 * A TCP proxy through which the servers of a cluster reach one of them.
 *
 * A server from the library of the embedded engine exits when a connection from another server
 * is reset; a real server only logs this. So the proxy closes the connections of a killed server properly.
 */

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export class ServerLink {
  readonly #server: Server;
  readonly #port: number;

  /** Forwards one port to another, from the first `mend` on. */
  constructor(port: number, target: number) {
    this.#server = createServer({ allowHalfOpen: true }, (from) => join(from, target));
    this.#port = port;
  }

  /** Refuses new connections. */
  cut(): void {
    this.#server.close();
  }

  /** Accepts connections. */
  async mend(): Promise<void> {
    if (this.#server.listening) return;
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }
}

function join(from: Socket, target: number): void {
  const to = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  from.setNoDelay(true);
  from.pipe(to);
  to.pipe(from);
  // Bytes for a killed server are read and dropped.
  from.on('error', () => undefined).on('close', () => to.end().resume());
  to.on('error', () => undefined).on('close', () => from.resetAndDestroy());
}
