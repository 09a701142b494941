/** Opens the dispatcher with the log, the audit log and the metrics of a service. */

import type { FastifyBaseLogger } from 'fastify';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Engine, Reader } from '../engine/engine.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ChangeWaiters } from '../reading/changes/change-waiters.ts';
import type { PublicationLog } from '../reading/changes/publication-log.ts';
import type { DeliveryDelays } from './delivery-delays.ts';
import { readNetworks } from './sending/address-guard.ts';
import { WebhookDispatcher } from './webhook-dispatcher.ts';

interface OwnDatabase {
  readonly engine: Engine;
  readonly timeZone: string;
  readonly webhookNetworks: readonly string[];
}

interface ServiceParts {
  readonly reader: Reader;
  readonly publications: PublicationLog;
  readonly waiters: ChangeWaiters;
  readonly deliveryDelays: DeliveryDelays;
  /** The key that signs cursors. The secrets of webhooks are derived from it. */
  readonly cursorKey: Buffer;
  readonly metrics: Metrics;
  readonly logger: FastifyBaseLogger;
  readonly audit: AuditLog;
}

export const openDispatcher = (
  { engine, timeZone, webhookNetworks }: OwnDatabase,
  {
    reader,
    publications,
    waiters,
    deliveryDelays: times,
    cursorKey,
    metrics,
    logger,
    audit,
  }: ServiceParts,
): WebhookDispatcher =>
  new WebhookDispatcher({
    engine,
    timeZone,
    reader,
    publications,
    waiters,
    times,
    key: cursorKey,
    send: { allowed: readNetworks(webhookNetworks) },
    logger,
    onOutcome: (result) => metrics.count('transactions_webhook_deliveries_total', { result }),
    onStopped: (id, reason) =>
      audit.record({ event: 'webhook_stopped', details: { webhook_id: id, reason } }),
  });
