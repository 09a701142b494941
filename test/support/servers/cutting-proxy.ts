/** A proxy that cuts connections in the middle of responses. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly url: string;
  /** The number of cut responses. */
  readonly cuts: number;
  /** Cuts the next responses to report queries, one for each number of bytes. */
  cutNext(afterBytes: readonly number[]): void;
  /** Stops cutting. */
  stopCutting(): void;
  close(): Promise<void>;
}

/** A text that only report queries contain. */
const REPORT = 'record_head';

/** Forwards bytes between clients and the server at `target`. It cuts only responses to queries with `mark`. */
export async function startCuttingProxy(target: string, mark = REPORT): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const left: number[] = [];
  const sockets = new Set<Socket>();
  let cuts = 0;
  const listener = createServer((client) => {
    const server = connect(Number(port), hostname);
    const cut = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket
        .on('error', cut)
        .on('close', cut)
        .on('close', () => sockets.delete(socket));
    }
    let allowed = Number.POSITIVE_INFINITY;
    client.on('data', (bytes) => {
      const isReport = bytes.includes(mark);
      allowed = (isReport ? left.shift() : undefined) ?? Number.POSITIVE_INFINITY;
      server.write(bytes);
    });
    server.on('data', (bytes: Buffer) => {
      const passed = bytes.subarray(0, allowed);
      allowed -= bytes.length;
      if (allowed > 0) return void client.write(passed);
      cuts += 1;
      server.destroy();
      client.write(passed, cut);
    });
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    get cuts() {
      return cuts;
    },
    cutNext(afterBytes) {
      left.push(...afterBytes);
    },
    stopCutting() {
      left.length = 0;
    },
    close: async () => await closed(listener, sockets),
  };
}

async function closed(listener: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  listener.close();
  await once(listener, 'close');
}
