/** States of a webhook. */

/** Why the service has stopped a webhook: three days of failures, a response 410, or lost changes. */
export const STOP_REASONS = ['failing', 'receiver_gone', 'changes_expired'] as const;

export type StopReason = (typeof STOP_REASONS)[number];

/** The states of a stopped webhook. `creator_revoked`: the token with whose rights it delivers was revoked. */
export const STOPPED_STATES = [...STOP_REASONS, 'creator_revoked'] as const;

export type StoppedState = (typeof STOPPED_STATES)[number];

export const WEBHOOK_STATES = ['active', 'retrying', 'paused', ...STOPPED_STATES] as const;

export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** Whether the service has stopped the webhook, so that somebody has to act. */
export const isStopped = (state: WebhookState): state is StoppedState =>
  STOPPED_STATES.some((reason) => reason === state);
