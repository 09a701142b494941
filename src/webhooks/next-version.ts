/** The next version of a stored row: above the newest, and random, so that two processes choose different ones. */

import { randomInt } from 'node:crypto';

/** The number of versions in a step. With one step a second, versions stay below 2^53 for 200 years. */
const STEP = 2 ** 20;

/** A random version in the step after that of the newest version, so it is always greater. */
export const nextVersion = (newest: number): number =>
  (Math.floor(newest / STEP) + 1) * STEP + randomInt(STEP);

/**
 * Milliseconds that a process waits after it has written a row. Then it reads which of several writes counts. That is the
 * one with the greatest version.
 */
export const SETTLED = 2000;
