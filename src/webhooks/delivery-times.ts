/** Delays of the deliveries of webhooks, which tests shorten. */

import { retryDelay } from './retry-schedule.ts';

export interface DeliveryTimes {
  /** Milliseconds after which changes of other processes are noticed: one statement for all webhooks. */
  readonly interval: number;
  /** Milliseconds until a failed statement is tried again. */
  readonly databaseRetry: number;
  /** Milliseconds until the next attempt, after so many failed ones. */
  readonly retryDelay: (failures: number) => number;
}

export const DELIVERY_TIMES: DeliveryTimes = { interval: 5000, databaseRetry: 5000, retryDelay };
