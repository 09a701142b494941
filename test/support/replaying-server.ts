/** A server that gives one recorded answer again and again, as far as it is told. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

export interface ReplayingServer {
  readonly url: string;
  /** How many bytes of the recorded answer are sent before the connection is closed. */
  sentBytes: number;
  close(): void;
}

/** Everything that a server says to one statement. */
export async function recordAnswer(url: string, statement: string): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // Else the server would wait half a minute for the next one, and this for its end.
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
  const length = Buffer.byteLength(statement);
  socket.write(`${head}Content-Length: ${length}\r\n\r\n${statement}`);
  return Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>));
}

/** Answers a statement that contains `mark` with the recording, and all others with a plain 0. */
export async function startReplaying(recording: Buffer, mark: string): Promise<ReplayingServer> {
  const listener = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (request) => {
      if (request.includes(mark)) socket.end(recording.subarray(0, server.sentBytes));
      else socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\n0');
    });
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const server = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    sentBytes: recording.length,
    close: () => void listener.close(),
  };
  return server;
}
