/** States of a webhook. */

/** Why the service has stopped a webhook: three days of failures, a response 410, or lost changes. */
export const STOP_REASONS = ['failing', 'receiver_gone', 'changes_expired'] as const;

export type StopReason = (typeof STOP_REASONS)[number];

export const WEBHOOK_STATES = ['active', 'retrying', 'paused', ...STOP_REASONS] as const;

export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** Whether the service has stopped the webhook, so that somebody has to act. */
export const isStopped = (state: WebhookState): state is StopReason =>
  STOP_REASONS.some((reason) => reason === state);
