/** Property-based testing: fast-check with the seed and the number of runs of this run of the tests. */

import fc from 'fast-check';
import { fullOrShort, SEED } from './test-extent.ts';

fc.configureGlobal({ seed: SEED, numRuns: fullOrShort(100, 50) });

export { fc };

/** The number of runs of a property: all in a full run, a quarter in `npm test`. */
export const runCount = (full: number): number => fullOrShort(full, Math.ceil(full / 4));
