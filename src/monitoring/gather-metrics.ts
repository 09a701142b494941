/** Sets the metrics that describe a state: queues, database, disk and process. */

import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { AUDIT_DESTINATIONS, type AuditLog } from '../audit/audit-log.ts';
import { PRIORITIES } from '../concurrency/priority-queue.ts';
import { VERSION } from '../contract/version.ts';
import type { Engine } from '../engine/engine.ts';
import { QUERY_CLASSES } from '../engine/query-class.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { KnownWebhook } from '../webhooks/webhook-dispatcher.ts';
import { gatherDatabase } from './gather-database.ts';
import { gatherWebhooks } from './gather-webhooks.ts';

interface GatherDeps {
  readonly metrics: Metrics;
  readonly engine: Engine;
  readonly audit: AuditLog;
  /** The directory of an embedded database. */
  readonly directory: string | undefined;
  readonly webhooks: { readonly known: readonly KnownWebhook[] };
}

/** Milliseconds between two samples of the event loop. */
const RESOLUTION = 10;

/** Samples the event loop between `start` and `stop`. */
export function metricGatherer({ metrics, engine, audit, directory, webhooks }: GatherDeps) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION });
  const gather = async () => {
    gatherProcess(metrics, delays);
    gatherQueries(metrics, engine);
    gatherAudit(metrics, audit);
    gatherWebhooks(metrics, webhooks.known);
    await Promise.all([
      gatherDisk(metrics, directory ?? tmpdir()),
      gatherDatabase(metrics, engine),
    ]);
  };
  return { gather, start: () => void delays.enable(), stop: () => void delays.disable() };
}

const QUANTILES = [0.5, 0.99, 1];

function gatherProcess(metrics: Metrics, delays: ELDHistogram): void {
  for (const quantile of QUANTILES) {
    // A sample is the time between two ticks of a timer, so it includes the interval itself.
    const seconds = Math.max(0, delays.percentile(100 * quantile) / 1e9 - RESOLUTION / 1000);
    const labels = { quantile: String(quantile) };
    metrics.set('transactions_event_loop_delay_seconds', labels, seconds);
  }
  delays.reset();
  const { user, system } = process.cpuUsage();
  metrics.setTotal('process_cpu_seconds_total', {}, (user + system) / 1e6);
  metrics.set('process_resident_memory_bytes', {}, process.memoryUsage.rss());
  metrics.set('process_start_time_seconds', {}, performance.timeOrigin / 1000);
  const labels = { version: VERSION, node: process.versions.node };
  metrics.set('transactions_build_info', labels, 1);
}

function gatherQueries(metrics: Metrics, { queries, rowCounts }: Engine): void {
  for (const name of QUERY_CLASSES) {
    const { running, permits, queues } = queries[name];
    metrics.set('transactions_queries_running', { class: name }, running);
    metrics.set('transactions_queries_limit', { class: name }, permits);
    for (const priority of PRIORITIES) {
      const labels = { class: name, priority };
      const { waiting, granted, waitedSeconds } = queues[priority];
      metrics.set('transactions_queries_waiting', labels, waiting);
      metrics.setTotal('transactions_queries_started_total', labels, granted);
      metrics.setTotal('transactions_queries_wait_seconds_total', labels, waitedSeconds);
    }
    if (rowCounts !== undefined) {
      metrics.setTotal('transactions_rows_total', { class: name }, rowCounts[name]);
    }
  }
}

function gatherAudit(metrics: Metrics, { queues }: AuditLog): void {
  for (const destination of AUDIT_DESTINATIONS) {
    const { waiting, written, dropped } = queues[destination] ?? NO_LINES;
    metrics.set('transactions_audit_lines_waiting', { destination }, waiting);
    metrics.setTotal('transactions_audit_lines_written_total', { destination }, written);
    metrics.setTotal('transactions_audit_lines_dropped_total', { destination }, dropped);
  }
}

const NO_LINES = { waiting: 0, written: 0, dropped: 0 };

async function gatherDisk(metrics: Metrics, directory: string): Promise<void> {
  const disk = await statfs(directory).catch(() => undefined);
  if (disk === undefined) return;
  metrics.set('transactions_disk_free_bytes', {}, disk.bavail * disk.bsize);
  metrics.set('transactions_disk_size_bytes', {}, disk.blocks * disk.bsize);
}
