/** Limits the requests on one connection: those in its pipeline, and all together. */

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

/** Wraps the listeners for requests that the server has so far. */
export function guardConnections(server: Server, limits: RequestLimits): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  for (const listener of listeners) server.on('request', guarded(listener, limits));
}

/**
 * A connection with too many requests in its pipeline is reset. One with all its requests closes after
 * the last response. A client can send the requests without a response again (RFC 9112, 9.3.2 and 9.6).
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
    // The parser reports the requests of the bytes that it has, also after the connection was closed.
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
    // After all bytes read are parsed: a connection with too many requests is then reset before a second one begins.
    if (connection.unfinished > 1) setImmediate(begin);
    else begin();
  };
}

/**
 * Resets a connection, and drops the requests that are left in the bytes read so far.
 *
 * Node's parser would make objects for each of them, and an error when the connection closes: thousands
 * for each 64 kB.
 */
function resetUnread(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser');
  // Node has no documented way to stop its parser. Its own listener does so for an upgrade to another protocol.
  // A later version may keep the parser elsewhere: it then makes the objects, and the connection is still reset.
  if (parser instanceof Object && 'onIncoming' in parser) parser.onIncoming = () => STOP;
  socket.resetAndDestroy();
}

/** Tells the parser that the bytes after these headers are not HTTP. */
const STOP = 2;
