/** Replies to requests that Node's HTTP parser refuses, such as malformed ones, with a problem. */

import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem, type ProblemCode } from '../../contract/problems/problems.ts';
import { type ProblemReply, problemReply } from '../replies/problem-reply.ts';
import { READ_METHODS } from './method-guard.ts';
import type { OnRefusal } from './refusal-log.ts';

const CODE_OF_ERROR: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Milliseconds in which a client can read the reply and close the connection. */
const LINGER_TIMEOUT = 1000;

/** The parser errors of one server. */
export class ParserErrorReplies {
  readonly #basePath: string;
  readonly #onRefusal: OnRefusal;
  /** The response to the last request of each connection. Responses are sent in order: when it has ended, all have. */
  readonly #lastResponses = new WeakMap<Duplex, ServerResponse>();
  readonly #refused = new WeakSet<Duplex>();

  constructor(basePath: string, onRefusal: OnRefusal) {
    this.#basePath = basePath;
    this.#onRefusal = onRefusal;
  }

  listen(server: Server): void {
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#lastResponses.set(socket, response);
    });
    server.on('connect', ({ socket }: IncomingMessage) => this.#refuseConnect(socket));
  }

  /** Sends the problem after the responses that are still under way, and closes the connection. */
  reply(error: Error, socket: Socket): void {
    const errorCode = 'code' in error ? String(error.code) : '';
    // The parser also reports errors in the remaining bytes, until the connection is closed.
    if (this.#refused.has(socket)) return;
    if (errorCode === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    this.#refused.add(socket);
    const code = CODE_OF_ERROR[errorCode] ?? 'malformed_request';
    const problem = new Problem(code, { cause: error });
    const last = this.#lastResponses.get(socket);
    if (last?.req.complete === false) endBody(last.req, problem);
    const reply = () => this.#refuse(problem, socket);
    if (last === undefined || last.closed) reply();
    else last.once('close', reply);
  }

  /** Refuses CONNECT, which asks for a tunnel and not for a resource. */
  #refuseConnect(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    // Node has detached the socket, so a response under way cannot be finished.
    if (this.#lastResponses.get(socket)?.closed === false) socket.destroy();
    const problem = new Problem('method_not_allowed', {
      headers: { allow: READ_METHODS.join(', ') },
    });
    this.#refuse(problem, socket);
  }

  /** Replies with the problem, unless an earlier response has closed the connection. */
  #refuse(problem: Problem, socket: Socket): void {
    if (!socket.writable) return;
    const requestId = randomUUID();
    this.#onRefusal({ requestId, problem, address: socket.remoteAddress });
    endWith(problemReply(problem, requestId, this.#basePath), socket);
  }
}

/**
 * Fails the handler that reads the body, at once or as soon as it begins to read. Otherwise it would wait for ever:
 * the rest of the body never arrives, and the socket stays open for the response.
 */
function endBody(request: IncomingMessage, problem: Problem): void {
  const fail = () => {
    if (request.listenerCount('error') > 0) request.emit('error', problem);
  };
  fail();
  request.on('newListener', (event) => {
    if (event === 'error') setImmediate(fail);
  });
}

/** Writes a whole HTTP response. */
function endWith({ status, headers, body }: ProblemReply, socket: Socket): void {
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  closeLater(socket);
}

/**
 * Closes the socket if the client does not. Closing at once would lose the reply: if more bytes
 * arrive, the system resets the connection.
 */
function closeLater(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_TIMEOUT);
  socket.once('close', () => clearTimeout(timer)).resume();
}
