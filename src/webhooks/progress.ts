/** Progress of a webhook: its position in the feed, its failures, and why it was stopped. */

import * as v from 'valibot';
import { assertNever } from '../contract/assert-never.ts';
import { STOP_REASONS } from '../contract/webhooks/webhook-states.ts';
import type { DeliveryDelays } from './delivery-delays.ts';
import { GIVE_UP_AFTER, retryDelay } from './retry-schedule.ts';
import { type OriginPosition, POSITION, type Webhook } from './webhook.ts';

const COUNT = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Milliseconds since 1970. */
const INSTANT = v.nullable(v.number());

export const PROGRESS = v.object({
  /** The generation of the webhook when this was written. */
  generation: COUNT,
  /** Grows with each version that is stored. */
  sequence: COUNT,
  position: POSITION,
  /** Failed attempts to deliver the next message. */
  failures: COUNT,
  failingSince: INSTANT,
  retryAt: INSTANT,
  /** Why the last attempt failed. */
  error: v.nullable(v.string()),
  /** When the import of the oldest waiting change began. */
  oldestAt: INSTANT,
  deliveredAt: INSTANT,
  stopped: v.nullable(v.picklist(STOP_REASONS)),
});

export type Progress = Readonly<v.InferOutput<typeof PROGRESS>>;

const NO_FAILURE = { failures: 0, failingSince: null, retryAt: null, error: null } as const;

/** The progress of the present generation. A new generation has no failures. After a replay, it begins at `start`. */
export function presentProgress(webhook: Webhook, stored: Progress | undefined): Progress {
  const { generation, start } = webhook;
  const nothing = { sequence: 0, oldestAt: null, deliveredAt: null };
  const before = stored ?? { ...nothing, generation: -1, position: start.position };
  if (stored !== undefined && stored.generation >= generation) return stored;
  const position = before.generation < start.generation ? start.position : before.position;
  const { oldestAt, deliveredAt } = before;
  return { ...NO_FAILURE, generation, sequence: 0, position, oldestAt, deliveredAt, stopped: null };
}

/** The outcome of an attempt to deliver a message. */
export type Outcome =
  | { readonly result: 'delivered' }
  | { readonly result: 'gone' }
  | { readonly result: 'failed'; readonly error: string };

/** The result of a response. A redirect is a failure, because its target was not checked. */
export function outcomeOf(status: number): Outcome {
  if (status >= 200 && status <= 299) return { result: 'delivered' };
  if (status === 410) return { result: 'gone' };
  const isRedirect = status >= 300 && status <= 399;
  const error = `status ${status}${isRedirect ? ', and redirects are not followed' : ''}`;
  return { result: 'failed', error };
}

/** `now` is in milliseconds; `next` is the position after the message. */
export function progressAfter(
  outcome: Outcome,
  progress: Progress,
  next: OriginPosition,
  now: number,
  delayOf: DeliveryDelays['retryDelay'] = retryDelay,
): Progress {
  switch (outcome.result) {
    case 'delivered':
      return { ...progress, ...NO_FAILURE, position: next, oldestAt: null, deliveredAt: now };
    case 'gone':
      return { ...progress, error: 'status 410', retryAt: null, stopped: 'receiver_gone' };
    case 'failed':
      return afterFailure(progress, outcome.error, now, delayOf);
    default:
      return assertNever(outcome);
  }
}

function afterFailure(
  progress: Progress,
  error: string,
  now: number,
  delayOf: DeliveryDelays['retryDelay'],
): Progress {
  const failures = progress.failures + 1;
  const failingSince = progress.failingSince ?? now;
  const failed = { ...progress, failures, failingSince, error };
  const lastAttemptAt = failingSince + GIVE_UP_AFTER;
  return now < lastAttemptAt
    ? { ...failed, retryAt: Math.min(now + delayOf(failures), lastAttemptAt) }
    : { ...failed, retryAt: null, stopped: 'failing' };
}
