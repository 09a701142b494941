/** Answers what Node's HTTP parser refuses before there is a request. */

import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem, type ProblemCode } from '../../contract/problems/problems.ts';
import { problemReply } from '../replies/problem-reply.ts';
import { ALLOWED } from './method-guard.ts';

const CODE_OF_ERROR: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Milliseconds in which a client may take the answer and close the connection. */
const LINGERING = 1000;

/** Of one server: writes problems to bare sockets, and never into the middle of an answer. */
export class BrokenRequests {
  readonly #basePath: string;
  /** Answers go out in the order of their requests: all have ended when the last one has. */
  readonly #lastAnswers = new WeakMap<Duplex, ServerResponse>();
  readonly #broken = new WeakSet<Duplex>();

  constructor(basePath: string) {
    this.#basePath = basePath;
  }

  /** To be told of every request that Node could read. */
  noteAnswer({ socket }: IncomingMessage, answer: ServerResponse): void {
    this.#lastAnswers.set(socket, answer);
  }

  /** Writes the problem and closes the connection, after the answers that are still on their way. */
  answer(error: Error, socket: Socket): void {
    const errorCode = 'code' in error ? String(error.code) : '';
    // What comes behind is refused as well, byte for byte, until the connection is closed.
    if (this.#broken.has(socket)) return;
    if (errorCode === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    this.#broken.add(socket);
    const code = CODE_OF_ERROR[errorCode] ?? 'malformed_request';
    const last = this.#lastAnswers.get(socket);
    const answer = () => endWith(new Problem(code, { cause: error }), socket, this.#basePath);
    if (last === undefined || last.closed) answer();
    else last.once('close', answer);
  }

  /** Refuses CONNECT, which asks for a tunnel and not for anything at a path. */
  answerTunnel(request: IncomingMessage, socket: Duplex): void {
    socket.on('error', () => socket.destroy());
    // Node has let go of the socket, so nothing goes on that was on its way.
    if (this.#lastAnswers.get(request.socket)?.closed === false) socket.destroy();
    const problem = new Problem('method_not_allowed', { headers: { allow: ALLOWED } });
    endWith(problem, socket, this.#basePath);
  }
}

/** An answer may have closed the connection itself. */
function endWith(problem: Problem, socket: Duplex, basePath: string): void {
  if (!socket.writable) return;
  const { status, headers, body } = problemReply(problem, randomUUID(), basePath);
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  closeInTime(socket);
}

/**
 * Closes the socket also where the client does not, but not at once: what it sends meanwhile would
 * make the system drop the answer.
 */
function closeInTime(socket: Duplex): void {
  const closing = setTimeout(() => socket.destroy(), LINGERING);
  socket.once('close', () => clearTimeout(closing)).resume();
}
