/** Limits the requests on one connection: how many are pipelined at a time, and how many it sends in total. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionLimits } from '../connection-limits.ts';

type Exchange = [request: IncomingMessage, response: ServerResponse];

type RequestLimits = Pick<ConnectionLimits, 'pipelinedRequests' | 'requestsPerConnection'>;

interface Connection {
  requests: number;
  unfinished: number;
  isClosing: boolean;
}

/** Wraps the request listeners that the server has at the time of the call. */
export function guardConnections(server: Server, limits: RequestLimits): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  for (const listener of listeners) server.on('request', guarded(listener, limits));
}

/**
 * A connection with too many pipelined requests is reset. A connection that has sent its maximum number of
 * requests closes after the last response. A client can repeat requests that got no response (RFC 9112,
 * 9.3.2 and 9.6).
 */
function guarded(listener: (...exchange: Exchange) => void, limits: RequestLimits) {
  const { pipelinedRequests, requestsPerConnection } = limits;
  const connections = new WeakMap<Socket, Connection>();

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const connection = { requests: 0, unfinished: 0, isClosing: false };
    connections.set(socket, connection);
    return connection;
  }

  return (...[request, response]: Exchange): void => {
    const { socket } = request;
    const connection = connectionOf(socket);
    // The parser reports all requests in the bytes that were read, even after the connection was closed.
    if (connection.isClosing) return;
    if (connection.unfinished === pipelinedRequests) {
      connection.isClosing = true;
      resetUnread(socket);
      return;
    }
    connection.requests += 1;
    connection.unfinished += 1;
    if (connection.requests === requestsPerConnection) {
      connection.isClosing = true;
      response.setHeader('connection', 'close');
    }
    response.once('close', () => {
      connection.unfinished -= 1;
      if (connection.unfinished === 0 && connection.isClosing) socket.destroySoon();
    });
    const begin = () => {
      if (!socket.destroyed) listener(request, response);
    };
    // A pipelined request begins only when all bytes that were read are parsed. So a connection with too many requests
    // is reset before its second request begins.
    if (connection.unfinished > 1) setImmediate(begin);
    else begin();
  };
}

/**
 * Resets a connection, and drops the requests that are left in the bytes read so far.
 *
 * Otherwise Node's parser would create objects for each of these requests, and an error for each when the
 * connection closes. 64 kB can hold thousands of requests.
 */
function resetUnread(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser');
  // Node has no documented way to stop its parser. Node's own `onIncoming` returns `STOP` for an upgrade to
  // another protocol, so that the rest is not parsed. Even if a later Node keeps the parser elsewhere, the
  // connection is still reset.
  if (parser instanceof Object && 'onIncoming' in parser) parser.onIncoming = () => STOP;
  socket.resetAndDestroy();
}

/** Tells the parser that the bytes after these headers are not HTTP. */
const STOP = 2;
