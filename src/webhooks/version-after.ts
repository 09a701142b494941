/** Versions of stored rows that differ although two processes have read the same newest one. */

import { randomInt } from 'node:crypto';

/** The versions of one step. A step each second is below 2^53 for 200 years. */
const STEP = 2 ** 20;

/** A random version in the step after that of the newest version, so it is always greater. */
export const versionAfter = (newest: number): number =>
  (Math.floor(newest / STEP) + 1) * STEP + randomInt(STEP);
