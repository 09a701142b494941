/** Puts the HTTP server together; nothing here but composition. */

import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify';
import type { Authenticate } from '../auth/authenticate.ts';
import { Problem } from '../contract/problems.ts';
import type { Reader } from '../store/engine.ts';
import { answerBrokenRequest } from './broken-requests.ts';
import { healthRoutes } from './health-routes.ts';
import { refuseOtherMethods } from './method-refusal.ts';
import { problemOf, problemReply } from './problem-reply.ts';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts';
import { logResponses } from './response-log.ts';
import { transactionsRoutes } from './transactions-route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, for the log. */
    principalId: string | undefined;
    bodyBytes: number | undefined;
  }
}

export interface ServerParts {
  readonly reader: Reader;
  readonly authenticate: Authenticate;
  /** The platform's time zone. */
  readonly timeZone: string;
  readonly logger: FastifyBaseLogger;
  /** Where the service is mounted behind a proxy, such as `/reporting`; empty for the root. */
  readonly basePath?: string;
}

/** The longest path with parameters, in bytes. */
const LONGEST_URL = 8192;

export function buildServer(parts: ServerParts): FastifyInstance {
  const basePath = parts.basePath ?? '';
  const app = Fastify({
    loggerInstance: parts.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'req_id' }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, basePath),
    frameworkErrors: (error, request, reply) => sendProblem(error, request.id, reply),
  });
  app.decorateRequest('principalId', undefined);
  app.decorateRequest('bodyBytes', undefined);
  const state = { draining: false };
  app.addHook('preClose', async () => {
    state.draining = true;
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header(REQUEST_ID_HEADER, request.id).header('cache-control', 'no-store');
    if (state.draining) throw new Problem('shutting_down', { headers: { connection: 'close' } });
    if ((request.raw.url?.length ?? 0) > LONGEST_URL) throw new Problem('uri_too_long');
    refuseOtherMethods(app, request);
  });
  logResponses(app);
  app.setNotFoundHandler(() => {
    throw new Problem('not_found');
  });
  app.setErrorHandler((error, request, reply) => {
    const problem = sendProblem(error, request.id, reply);
    if (problem.code === 'internal_error') request.log.error({ err: error }, 'failed');
  });
  app.register(
    async (routes) => {
      transactionsRoutes(routes, parts);
      healthRoutes(routes, parts.reader);
    },
    { prefix: basePath },
  );
  return app;

  function sendProblem(error: unknown, id: string, reply: FastifyReply): Problem {
    const problem = problemOf(error);
    const { status, headers, body } = problemReply(problem, id, basePath);
    reply.code(status).headers(headers).send(Buffer.from(body));
    return problem;
  }
}
