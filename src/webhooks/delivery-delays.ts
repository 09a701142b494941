/** Delays of the deliveries of webhooks, which tests shorten. */

import { retryDelay } from './retry-schedule.ts';

export interface DeliveryDelays {
  /**
   * Milliseconds between two reads of all webhooks, which find what other processes have changed. Together with the
   * duration of the statements it must be less than five seconds: by then, webhooks of a revoked token must have stopped.
   */
  readonly interval: number;
  /** Milliseconds until a failed statement is tried again. */
  readonly databaseRetry: number;
  /** Milliseconds until the next attempt after a number of failed ones. */
  readonly retryDelay: (failures: number) => number;
}

export const DELIVERY_DELAYS: DeliveryDelays = { interval: 3000, databaseRetry: 5000, retryDelay };
