/** Opens the HTTP server for operators, which gathers metrics for each scrape. */

import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Engine, Reader } from '../engine/engine.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { KnownWebhook } from '../webhooks/webhook-dispatcher.ts';
import { metricGatherer } from './gather-metrics.ts';
import { buildMonitoringServer } from './monitoring-server.ts';

interface ObservedDatabase {
  readonly engine: Engine;
  /** The directory of an embedded database. */
  readonly directory: string | undefined;
}

interface ObservedParts {
  readonly metrics: Metrics;
  readonly reader: Reader;
  readonly audit: AuditLog;
  readonly logger: FastifyBaseLogger;
  readonly webhooks: { readonly known: readonly KnownWebhook[] };
}

/** The event loop is sampled only while the server listens. */
export function openMonitoringServer(
  { engine, directory }: ObservedDatabase,
  { metrics, reader, audit, logger, webhooks }: ObservedParts,
): FastifyInstance {
  const { gather, start, stop } = metricGatherer({ metrics, engine, audit, directory, webhooks });
  const server = buildMonitoringServer({ metrics, gather, reader, logger });
  server.addHook('onReady', async () => start());
  server.addHook('onClose', async () => stop());
  return server;
}
