/** Servers that replay a recorded response, cut at a given byte. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface ReplayingServer {
  readonly url: string;
  /** The number of bytes of the recording to send before the connection is closed. */
  sentBytes: number;
  close(): void;
}

/** Records the whole response of a server to one statement. */
export async function recordResponse(url: string, statement: string): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // Otherwise the server would keep the connection open for half a minute.
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
  const length = Buffer.byteLength(statement);
  socket.write(`${head}Content-Length: ${length}\r\n\r\n${statement}`);
  return Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>));
}

/** Answers statements that contain `mark` with the recording, and all others with 0. */
export async function startReplayServer(recording: Buffer, mark: string): Promise<ReplayingServer> {
  const { listener, url } = await listening((socket) => {
    socket.on('data', (request) => {
      if (request.includes(mark)) socket.end(recording.subarray(0, server.sentBytes));
      else socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\n0');
    });
  });
  const server = { url, sentBytes: recording.length, close: () => void listener.close() };
  return server;
}

export interface RecordingProxy {
  readonly url: string;
  /** The recording of the last response to a request that `isReplayed` selects. */
  readonly recording: Buffer;
  /** The number of replayed responses. */
  readonly replayed: number;
  /** Replays the recording once for each length, cut after that many bytes, before it forwards requests again. */
  replay(recording: Buffer, lengths: readonly number[]): void;
  close(): void;
}

/** A proxy of the server at `target` that records and replays responses to the requests that `isReplayed` selects. */
export async function startRecordingProxy(
  target: string,
  isReplayed: (request: Buffer) => boolean,
): Promise<RecordingProxy> {
  const left: Buffer[] = [];
  const recorded: Buffer[] = [];
  let replayed = 0;
  const { port } = new URL(target);
  const { listener, url } = await listening((socket) => {
    const server = connect(Number(port), '127.0.0.1').on('error', () => socket.destroy());
    server
      .on('close', () => socket.end())
      .on('data', (bytes: Buffer) => {
        recorded.push(bytes);
        socket.write(bytes);
      });
    socket.on('close', () => server.destroy());
    socket.on('data', (request: Buffer) => {
      const answer = isReplayed(request) ? left.shift() : undefined;
      if (isReplayed(request)) recorded.length = 0;
      if (answer === undefined) return void server.write(request);
      replayed += 1;
      socket.end(answer);
    });
  });
  return {
    url,
    get recording() {
      return Buffer.concat(recorded);
    },
    get replayed() {
      return replayed;
    },
    replay: (recording, lengths) =>
      void left.push(...lengths.map((length) => recording.subarray(0, length))),
    close: () => void listener.close(),
  };
}

async function listening(serve: (socket: Socket) => void) {
  const listener = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    serve(socket);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return { listener, url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}` };
}
