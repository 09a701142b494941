/** Exponential backoff of failed deliveries, over three days. */

const HOUR = 3_600_000;

/** For this many milliseconds after its first failure, a message is tried again. Then its webhook is stopped. */
export const GIVE_UP_AFTER = 72 * HOUR;

const FIRST_DELAY = 5000;
const FACTOR = 4;
const MAX_DELAY = 12 * HOUR;

/**
 * Milliseconds until the next attempt, after `failures` failed ones.
 *
 * A random part of up to a quarter is subtracted, so that receivers behind one failing host are not
 * all tried at the same moment.
 */
export const retryDelay = (failures: number, random = Math.random()): number =>
  Math.min(FIRST_DELAY * FACTOR ** (failures - 1), MAX_DELAY) * (1 - random / 4);
