/** Answers what Node's HTTP parser refuses before there is a request. */

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem, type ProblemCode } from '../contract/problems.ts';
import { ALLOWED } from './method-refusal.ts';
import { problemReply } from './problem-reply.ts';

const CODE_OF_ERROR: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Writes the problem to the bare socket and closes it. */
export function answerBrokenRequest(error: Error, socket: Socket, basePath: string): void {
  const errorCode = 'code' in error ? String(error.code) : '';
  if (errorCode === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const code = CODE_OF_ERROR[errorCode] ?? 'malformed_request';
  endWith(new Problem(code, { cause: error }), socket, basePath);
}

/** Refuses CONNECT, which asks for a tunnel and not for anything at a path. */
export function answerTunnelRequest(socket: Duplex, basePath: string): void {
  socket.on('error', () => socket.destroy());
  endWith(new Problem('method_not_allowed', { headers: { allow: ALLOWED } }), socket, basePath);
}

function endWith(problem: Problem, socket: Duplex, basePath: string): void {
  const { status, headers, body } = problemReply(problem, randomUUID(), basePath);
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}
