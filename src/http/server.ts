/** Puts the HTTP server together; nothing here but composition. */

import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify';
import type { Authenticate } from '../auth/authenticate.ts';
import { LONGEST_URL, Problem } from '../contract/problems/problems.ts';
import { ExportFiles } from '../disk/export-files.ts';
import type { Reader } from '../engine/engine.ts';
import type { Limits } from '../limits/limits.ts';
import { TableVersions } from '../reading/table-versions.ts';
import { closeAfterBody, refuseBody, refuseEndlessBody } from './guards/body-guard.ts';
import { answerPreflight, isPreflight, sharingWith } from './guards/cross-origin.ts';
import { refuseWrongHost } from './guards/host-guard.ts';
import { refuseOtherMethods } from './guards/method-guard.ts';
import { BrokenRequests } from './guards/parser-errors.ts';
import { refuseWrongTarget } from './guards/target-guard.ts';
import { addDefaultHeaders } from './replies/default-headers.ts';
import { logProblem } from './replies/problem-log.ts';
import { problemOf, problemReply, SUCCESS_ONLY_HEADERS } from './replies/problem-reply.ts';
import { requestIdOf } from './replies/request-id.ts';
import { logResponses } from './replies/response-log.ts';
import { explorerRoute } from './routes/explorer-route.ts';
import { healthRoutes } from './routes/health-routes.ts';
import { meRoute } from './routes/me-route.ts';
import { pageRoutes } from './routes/page-routes.ts';
import { summaryRoutes } from './routes/summary-route.ts';
import { transactionsRoutes } from './routes/transactions-route.ts';
import { closeGracefully } from './sending/graceful-shutdown.ts';

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
  /** What each principal may ask for; no limits where not given. */
  readonly limits?: Limits;
  /** Origins whose pages may call the API from a browser; none where not given. */
  readonly corsOrigins?: readonly string[];
  /** The platform's time zone. */
  readonly timeZone: string;
  /** The secret with which cursors are signed. */
  readonly cursorKey: Buffer;
  /** Where files are made before they are sent; among the system's temporary ones where not given. */
  readonly outgoing?: string | undefined;
  /** Milliseconds after which a reader that takes nothing is cut; five minutes where not given. */
  readonly stallTimeout?: number | undefined;
  readonly logger: FastifyBaseLogger;
  /** Where the service is mounted behind a proxy, such as `/reporting`; empty for the root. */
  readonly basePath?: string;
  /** Where the explorer was built, where that is not the usual place. */
  readonly explorer?: URL | undefined;
}

export function buildServer(parts: ServerParts): FastifyInstance {
  const { basePath = '', limits = {} } = parts;
  const shareWithPage = sharingWith(parts.corsOrigins ?? []);
  const broken = new BrokenRequests(basePath);
  const app = Fastify({
    loggerInstance: parts.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'req_id' }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    // Node would answer without a body; the check is in refuseWrongHost.
    http: { requireHostHeader: false },
    clientErrorHandler: (error, socket) => broken.answer(error, socket),
    frameworkErrors: (error, request, reply) => {
      closeAfterBody(request, reply);
      shareWithPage(request, reply);
      sendProblem(error, request.id, reply);
    },
  });
  app.server.on('request', (request, response) => broken.noteAnswer(request, response));
  app.server.on('connect', (request, socket) => broken.answerTunnel(request, socket));
  // No body is wanted, so nobody is told to go on; what else is expected may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkContinue', (...exchange) => app.server.emit('request', ...exchange));
  app.server.on('checkExpectation', (...exchange) => app.server.emit('request', ...exchange));
  app.decorateRequest('principalId', undefined);
  app.decorateRequest('bodyBytes', undefined);
  app.addHook('onRequest', async (request, reply) => shareWithPage(request, reply));
  closeGracefully(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(addDefaultHeaders(request.id));
    closeAfterBody(request, reply);
    if ((request.raw.url?.length ?? 0) > LONGEST_URL) throw new Problem('uri_too_long');
    refuseWrongHost(request);
    refuseEndlessBody(request);
    refuseWrongTarget(request);
    if (isPreflight(request, reply)) return answerPreflight(reply);
    refuseOtherMethods(app, request);
    refuseBody(request);
  });
  logResponses(app);
  app.setNotFoundHandler(() => {
    throw new Problem('not_found');
  });
  app.setErrorHandler((error, request, reply) => {
    logProblem(request.log, sendProblem(error, request.id, reply));
  });
  const files = new ExportFiles(parts.outgoing);
  app.addHook('onReady', async () => await files.clear());
  app.addHook('onClose', async () => await files.close());
  app.register(
    async (routes) => {
      const source = { ...parts, limits, states: new TableVersions(parts.reader), files };
      transactionsRoutes(routes, source);
      summaryRoutes(routes, source);
      meRoute(routes, source);
      healthRoutes(routes, parts.reader);
      pageRoutes(routes, basePath);
      explorerRoute(routes, basePath, parts.explorer);
    },
    { prefix: basePath },
  );
  return app;

  function sendProblem(error: unknown, id: string, reply: FastifyReply): Problem {
    const problem = problemOf(error);
    const { status, headers, body } = problemReply(problem, id, basePath);
    for (const name of SUCCESS_ONLY_HEADERS) reply.removeHeader(name);
    reply.code(status).headers(headers).send(Buffer.from(body));
    return problem;
  }
}
