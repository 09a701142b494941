/** HTTP server for operators on a separate address, without tokens: `/metrics` and `/health`. */

import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Reader } from '../engine/engine.ts';
import { readiness } from '../http/routes/readiness.ts';
import type { Metrics } from '../metrics/metrics.ts';

export interface MonitoringDeps {
  readonly metrics: Metrics;
  /** Sets the metrics that describe a state, such as free disk space. The others are counted when events occur. */
  readonly gather: () => Promise<void>;
  readonly reader: Reader;
  readonly logger: FastifyBaseLogger;
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export function buildMonitoringServer({
  metrics,
  gather,
  reader,
  logger,
}: MonitoringDeps): FastifyInstance {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  });
  const requireReady = readiness(reader);
  const gatherOnce = shared(gather);
  app.addHook('onRequest', async (_, reply) => void reply.headers(HEADERS));
  app.get('/metrics', async (_, reply) => {
    await gatherOnce();
    return reply.type(metrics.contentType).send(await metrics.text());
  });
  app.get('/health', async (_, reply) => {
    const isReady = await requireReady().then(
      () => true,
      () => false,
    );
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' });
  });
  return app;
}

/** Concurrent callers share one run. */
function shared(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return async () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    await running;
  };
}
