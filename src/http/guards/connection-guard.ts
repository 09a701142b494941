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
    // The parser reports every request of the bytes that it has, also after the connection was closed.
    if (connection.isClosing) return;
    if (connection.unfinished === pipelinedRequests) {
      connection.isClosing = true;
      resetCheaply(socket);
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
    listener(request, response);
  };
}

/**
 * Resets a connection. Node makes an error with a stack trace for each request without a response,
 * which would take seconds for a hundred thousand of them.
 */
function resetCheaply(socket: Socket): void {
  const { stackTraceLimit } = Error;
  socket.prependOnceListener('close', () => {
    Error.stackTraceLimit = 0;
  });
  socket.once('close', () => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  socket.resetAndDestroy();
}
