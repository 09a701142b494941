/** Applies the guards of connections to every HTTP server of the service: `localhost` has one for each of its addresses. */

import { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { ConnectionLimits } from '../connection-limits.ts';
import { guardConnections } from './connection-guard.ts';
import type { ParserErrors } from './parser-errors.ts';

interface ServerGuards {
  readonly limits: ConnectionLimits;
  readonly parserErrors: ParserErrors;
}

export function guardServers(app: FastifyInstance, guards: ServerGuards): void {
  guardServer(app.server, guards);
  app.addHook('onListen', async () => {
    for (const server of furtherServers(app)) {
      guardServer(server, guards);
      // Fastify adds it to the first server only.
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

/** Fastify keeps them under a symbol of its own, and creates them without asking `serverFactory`. */
function furtherServers(app: FastifyInstance): readonly Server[] {
  const key = Object.getOwnPropertySymbols(app).find(
    ({ description }) => description === 'fastify.serverBindings',
  );
  const found: unknown = key === undefined ? undefined : Reflect.get(app, key);
  if (!Array.isArray(found)) throw new TypeError('Fastify keeps its servers elsewhere.');
  return found.filter((server) => server instanceof Server && server !== app.server);
}

/** No body is read, so `Expect: 100-continue` and other expectations are ignored (RFC 9110, 10.1.1). */
function ignoreExpectations(server: Server): void {
  server.on('checkContinue', (...exchange) => server.emit('request', ...exchange));
  server.on('checkExpectation', (...exchange) => server.emit('request', ...exchange));
}
