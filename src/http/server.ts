/** HTTP server: the Fastify instance with its guards, error replies and routes. */

import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Principal } from '../auth/principal.ts';
import { MAX_URL_LENGTH, Problem, type ProblemCode } from '../contract/problems/problems.ts';
import { clientAddressOf } from './client-address.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { closeAfterBody, refuseBody, refuseUnboundedBody } from './guards/body-guard.ts';
import { answerPreflight, corsHeadersFor, isPreflight } from './guards/cross-origin.ts';
import { refuseWrongHost } from './guards/host-guard.ts';
import { knownMethodsOf } from './guards/known-paths.ts';
import { refuseOtherMethods } from './guards/method-guard.ts';
import { ParserErrorReplies } from './guards/parser-errors.ts';
import { pathHint } from './guards/path-hint.ts';
import { refusalLog } from './guards/refusal-log.ts';
import { guardServers } from './guards/server-guards.ts';
import { refuseWrongTarget } from './guards/target-guard.ts';
import { mcpRoute } from './mcp/mcp-route.ts';
import { originAbove } from './public-origin.ts';
import { defaultHeaders } from './replies/default-headers.ts';
import { problemLog } from './replies/problem-log.ts';
import { sendProblem } from './replies/problem-reply.ts';
import { requestIdOf } from './replies/request-id.ts';
import { type AuditedReport, responseAudit } from './replies/response-audit.ts';
import { onResponseEnd } from './replies/response-end.ts';
import { responseLog } from './replies/response-log.ts';
import { responseMetrics } from './replies/response-metrics.ts';
import { changesRoutes } from './routes/changes-route.ts';
import { directoryRoutes } from './routes/directory-routes.ts';
import { explorerRoute } from './routes/explorer-route.ts';
import { healthRoutes } from './routes/health-routes.ts';
import { meRoute } from './routes/me-route.ts';
import { pageRoutes } from './routes/page-routes.ts';
import { performanceRoutes } from './routes/performance-route.ts';
import { summaryRoutes } from './routes/summary-route.ts';
import { type SignInDeps, signInRoutes } from './routes/tokens/sign-in-routes.ts';
import { tokensRoutes } from './routes/tokens/tokens-routes.ts';
import { transactionRoutes } from './routes/transaction-route.ts';
import { type TransactionsDeps, transactionsRoutes } from './routes/transactions-route.ts';
import type { WebhooksDeps } from './routes/webhooks/managed-webhooks.ts';
import { webhooksRoutes } from './routes/webhooks/webhooks-routes.ts';
import { cut } from './sending/cut.ts';
import { addGracefulShutdown } from './sending/graceful-shutdown.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The configured public URL without the base path; undefined if it is not set. */
    publicOrigin: string | undefined;
    /** The methods of the path; none if it has no route. */
    methodsOf: (path: string) => readonly string[];
  }
  interface FastifyRequest {
    /** Undefined before authentication. */
    principal: Principal | undefined;
    /** Undefined before authentication, and for requests that read no transactions. */
    auditedReport: AuditedReport | undefined;
    /** The problem with which the request was refused. */
    problemCode: ProblemCode | undefined;
    /** Records or groups of the response so far; undefined if they are not counted. */
    sentRows: number | undefined;
    bodyBytes: number | undefined;
    /** Milliseconds from the request to the first block of a stream. */
    firstByteMs: number | undefined;
    /** Noted when the request arrives, because a closed connection has no address. */
    clientAddress: string | null;
  }
}

export interface ServerDeps extends TransactionsDeps, SignInDeps, WebhooksDeps {
  /** ISO 4217 code; undefined if it is not set. */
  readonly currency: string | undefined;
  /** The URL at which clients reach the service, with the base path; undefined if it is not set. */
  readonly publicUrl: string | undefined;
  /** Origins whose pages may call the API from a browser. */
  readonly corsOrigins: readonly string[];
  /** Proxies whose `X-Forwarded-For` is believed: addresses, CIDR ranges, or names of proxy-addr. */
  readonly trustedProxies: readonly string[];
  readonly logger: FastifyBaseLogger;
  readonly connectionLimits: ConnectionLimits;
  /** Where a proxy mounts the service, such as `/reporting`; empty for the root. */
  readonly basePath: string;
  /** The directory of the built explorer, if it is not the default one. */
  readonly explorer?: URL | undefined;
}

export function buildServer(deps: ServerDeps): FastifyInstance {
  const { basePath, logger, connectionLimits: limits } = deps;
  const addCorsHeaders = corsHeadersFor(deps.corsOrigins);
  const onRefusal = refusalLog(logger, deps.metrics);
  const parserErrors = new ParserErrorReplies(basePath, onRefusal);
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'req_id' }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    trustProxy: deps.trustedProxies.length > 0 && [...deps.trustedProxies],
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    // An identifier that is too long is not found, like any other unknown one.
    // Routes parse the query string themselves, which Fastify would do before them.
    routerOptions: { maxParamLength: MAX_URL_LENGTH, querystringParser: () => ({}) },
    // Node would reply without a body to a missing Host; refuseWrongHost does the check.
    http: { requireHostHeader: false, headersTimeout: limits.headersTimeout * 1000 },
    keepAliveTimeout: limits.idleTimeout * 1000,
    clientErrorHandler: (error, socket) => parserErrors.reply(error, socket),
    frameworkErrors: (error, request, reply) => {
      closeAfterBody(request, reply);
      addCorsHeaders(request, reply);
      const problem = sendProblem(reply, error, basePath);
      onRefusal({ requestId: request.id, problem, address: request.socket.remoteAddress });
    },
  });
  guardServers(app, { limits, parserErrors });
  app.decorate('methodsOf', knownMethodsOf(app));
  app.decorate('publicOrigin', deps.publicUrl && originAbove(deps.publicUrl, basePath));
  app.decorateRequest('principal', undefined);
  app.decorateRequest('auditedReport', undefined);
  app.decorateRequest('problemCode', undefined);
  app.decorateRequest('sentRows', undefined);
  app.decorateRequest('bodyBytes', undefined);
  app.decorateRequest('firstByteMs', undefined);
  app.decorateRequest('clientAddress', null);
  app.addHook('onRequest', async (request, reply) => {
    // The timeout of the previous response on the same connection ends here.
    reply.raw.setTimeout(0);
    request.clientAddress = clientAddressOf(request);
    addCorsHeaders(request, reply);
  });
  // For replies that are sent whole. This hook does not run for streams: `sendBlocks` sets their timeout.
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    raw.setTimeout(deps.stallTimeout, () => cut(raw));
    done(null, payload);
  });
  onResponseEnd(app, [
    responseLog(app),
    responseMetrics(deps.metrics),
    responseAudit(app, deps.audit),
  ]);
  addGracefulShutdown(app);
  addGuards(app);
  app.setNotFoundHandler((request) => {
    throw new Problem('not_found', { hint: pathHint(request, basePath) });
  });
  const logProblem = problemLog(app);
  app.setErrorHandler((error, request, reply) => {
    logProblem(request, sendProblem(reply, error, basePath));
  });
  app.register(async (routes) => addRoutes(routes, deps), { prefix: basePath });
  return app;
}

/** Refuses invalid requests before a route sees them. */
function addGuards(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(defaultHeaders(request.id));
    closeAfterBody(request, reply);
    if ((request.raw.url?.length ?? 0) > MAX_URL_LENGTH) throw new Problem('uri_too_long');
    refuseWrongHost(request);
    refuseUnboundedBody(request);
    refuseWrongTarget(request);
    if (isPreflight(request, reply)) return answerPreflight(request, reply);
    refuseOtherMethods(request);
    refuseBody(request);
  });
}

function addRoutes(app: FastifyInstance, deps: ServerDeps): void {
  transactionsRoutes(app, deps);
  transactionRoutes(app, deps);
  summaryRoutes(app, deps);
  performanceRoutes(app, deps);
  changesRoutes(app, deps);
  directoryRoutes(app, deps);
  meRoute(app, deps);
  mcpRoute(app, deps);
  tokensRoutes(app, deps);
  signInRoutes(app, deps);
  webhooksRoutes(app, deps);
  healthRoutes(app, deps.reader);
  pageRoutes(app, deps);
  explorerRoute(app, deps);
}
