/** A proxy that cuts connections in the middle of what the server answers. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly url: string;
  /** How many answers were cut so far. */
  readonly cuts: number;
  /** Cuts the next answers to a report, each after so many of its bytes. */
  cutNext(afterBytes: readonly number[]): void;
  /** Lets all answers through from now on. */
  forget(): void;
  close(): Promise<void>;
}

/** What is in the request for a report, and in no other. */
const REPORT = 'record_head';

/** Passes bytes between clients and the server at `target`; reports are asked for by what holds `mark`. */
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
    forget() {
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
