/** Guards the connections of every HTTP server of the service: Fastify opens one for each address of `localhost`. */

import { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { ConnectionLimits } from '../connection-limits.ts';
import { guardConnections } from './connection-guard.ts';
import type { ParserErrorReplies } from './parser-errors.ts';

interface ServerGuards {
  readonly limits: ConnectionLimits;
  readonly parserErrors: ParserErrorReplies;
}

export function guardServers(app: FastifyInstance, guards: ServerGuards): void {
  guardServer(app.server, guards);
  app.addHook('onListen', async () => {
    for (const server of furtherServers(app)) {
      guardServer(server, guards);
      // Fastify adds its listener for `clientError` to the first server only.
      server.on('clientError', (error, socket) => {
        app.server.emit('clientError', error, socket);
      });
    }
  });
}

function guardServer(server: Server, { limits, parserErrors }: ServerGuards): void {
  server.maxConnections = limits.maxConnections;
  guardConnections(server, limits);
  parserErrors.listen(server);
  ignoreExpectations(server);
}

/** The servers besides `app.server`. Fastify creates them without `serverFactory`, and keeps them under a symbol. */
export function furtherServers(app: FastifyInstance): readonly Server[] {
  const key = Object.getOwnPropertySymbols(app).find(
    ({ description }) => description === 'fastify.serverBindings',
  );
  const found: unknown = key === undefined ? undefined : Reflect.get(app, key);
  if (!Array.isArray(found)) throw new TypeError('Fastify keeps its servers elsewhere.');
  return found.filter((server) => server instanceof Server && server !== app.server);
}

/**
 * Ignores `Expect: 100-continue` and other expectations (RFC 9110, 10.1.1). Only the route of the MCP server
 * reads a body, and it sends `100 Continue` itself.
 */
function ignoreExpectations(server: Server): void {
  server.on('checkContinue', (...exchange) => server.emit('request', ...exchange));
  server.on('checkExpectation', (...exchange) => server.emit('request', ...exchange));
}
