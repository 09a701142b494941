/** HTTP requests as raw bytes, which no HTTP client would send. */

import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expectDocumented } from './conformance.ts';

export interface RawAnswer {
  readonly status: number;
  /** By lower-case name; several with one name are joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** The whole response, unparsed. */
  readonly text: string;
}

/** Milliseconds without a byte after which the response counts as complete. */
const PATIENCE = 5000;

/** Milliseconds without a byte after which `send` fails: the server must close the connection after its response. */
const LONG_PATIENCE = 60_000;

/** Sends the bytes and collects the response until the server closes the connection or is silent. */
export async function exchange(
  url: string,
  bytes: string | Uint8Array,
  patience = PATIENCE,
): Promise<string> {
  return (await exchangeBytes(url, bytes, patience)).bytes.toString();
}

interface Exchange {
  readonly bytes: Buffer;
  /** Whether the server closed the connection in time. */
  readonly isClosed: boolean;
}

async function exchangeBytes(
  url: string,
  bytes: string | Uint8Array,
  patience: number,
): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  let isClosed = true;
  const chunks: Buffer[] = [];
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.setTimeout(patience, () => {
    isClosed = false;
    socket.destroy();
  });
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
  // If the server closes before it has read everything, the write fails.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => resolve({ bytes: Buffer.concat(chunks), isClosed }));
  socket.write(bytes);
  return await promise;
}

/** Parses the only response of an exchange, after informational ones. */
export function readAnswer(text: string): RawAnswer {
  if (/^HTTP\/1\.1 1\d\d /.test(text)) return readAnswer(text.slice(text.indexOf('\r\n\r\n') + 4));
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const before = headers.get(name);
    const value = line.slice(colon + 1).trim();
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  const rest = end < 0 ? '' : text.slice(end + 4);
  const isChunked = headers.get('transfer-encoding') === 'chunked';
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1] ?? 0);
  return {
    status,
    headers,
    body: isChunked ? joinedChunks(Buffer.from(rest)).toString() : rest,
    text,
  };
}

function joinedChunks(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.subarray(at, lineEnd).toString(), 16);
    if (lineEnd < 0 || !(length > 0)) return Buffer.concat(pieces);
    pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
}

export interface RawRequest {
  readonly method?: string;
  /** The request target exactly as it is sent. */
  readonly target: string;
  /** Whole header lines, such as `Host: localhost`. */
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** Sends one request. Throws if the server does not close the connection after its response. */
export async function send(url: string, request: RawRequest): Promise<RawAnswer> {
  const { method = 'GET', target, headers = [], body = '' } = request;
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const host = headers.some((line) => /^host:/i.test(line)) ? [] : ['Host: localhost'];
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...host,
    'Connection: close',
    ...length,
    ...headers,
  ];
  const sent = `${lines.join('\r\n')}\r\n\r\n${body}`;
  const { bytes, isClosed } = await exchangeBytes(url, sent, LONG_PATIENCE);
  if (!isClosed) throw new Error(`${target} left the connection open.`);
  const answer = readAnswer(bytes.toString());
  const unpacked = { ...answer, body: unpackedBody(bytes, answer) };
  expectDocumented(url, { method, target, ...unpacked });
  return unpacked;
}

/** The body, decompressed if it has a content coding. */
function unpackedBody(bytes: Buffer, { headers, body }: RawAnswer): string {
  const coding = headers.get('content-encoding');
  if (coding === undefined || body === '') return body;
  const isChunked = headers.get('transfer-encoding') === 'chunked';
  const rest = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
  return DECODERS[coding as keyof typeof DECODERS](
    isChunked ? joinedChunks(rest) : rest,
  ).toString();
}

const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };
