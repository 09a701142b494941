/** Sends a request to this server over a connection in memory, so that guards, download limits and logs apply to it. */

import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { REQUEST_ID_HEADER } from '../replies/request-id.ts';
import { LoopbackSocket } from './loopback-socket.ts';

/** The value of `via` in logs: a tool of the MCP server sent the request. */
export const MCP = 'mcp' as const;

/** The connections that this process opened to itself. No client can imitate them. */
const ownSockets = new WeakSet<object>();

/** Whether the request was sent by a tool of the MCP server, on behalf of its client. */
export const isFromTool = ({ raw }: FastifyRequest): boolean => ownSockets.has(raw.socket);

/** Sends a GET request to this server, with the token, language, id and client address of another request. */
export async function loopbackGet(
  server: Server,
  { id, clientAddress, headers }: FastifyRequest,
  target: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const [serverSide, clientSide] = LoopbackSocket.pair(clientAddress ?? '');
  ownSockets.add(serverSide);
  // Node documents that any stream can be passed in this way.
  server.emit('connection', serverSide);
  const { authorization, 'accept-language': language } = headers;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  httpRequest({
    path: target,
    headers: {
      host: 'loopback',
      [REQUEST_ID_HEADER]: id,
      ...(authorization === undefined ? {} : { authorization }),
      ...(language === undefined ? {} : { 'accept-language': language }),
    },
    createConnection: () => clientSide,
    signal,
  })
    .once('response', resolve)
    .once('error', reject)
    .end();
  return await promise;
}
