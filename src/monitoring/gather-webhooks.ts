/** Sets the metrics of webhooks. */

import type { Metrics } from '../metrics/metrics.ts';
import type { KnownWebhook } from '../webhooks/webhook-dispatcher.ts';

const STATES = ['active', 'retrying', 'paused', 'stopped'] as const;

function stateOf({ webhook, progress, isRevoked }: KnownWebhook): (typeof STATES)[number] {
  if (isRevoked) return 'stopped';
  if (webhook.isPaused) return 'paused';
  if (progress === undefined || progress.generation < webhook.generation) return 'active';
  if (progress.stopped !== null) return 'stopped';
  return progress.failures > 0 ? 'retrying' : 'active';
}

export function gatherWebhooks(metrics: Metrics, known: readonly KnownWebhook[]): void {
  const states = known.map(stateOf);
  for (const state of STATES) {
    const count = states.filter((one) => one === state).length;
    metrics.set('transactions_webhooks', { state }, count);
  }
  const waiting = known.flatMap((one, at) => {
    const oldest = one.progress?.oldestAt ?? null;
    const isDelivered = states[at] === 'active' || states[at] === 'retrying';
    return isDelivered && oldest !== null ? [oldest] : [];
  });
  const oldest = Math.min(Date.now(), ...waiting);
  metrics.set('transactions_webhook_lag_seconds', {}, (Date.now() - oldest) / 1000);
}
