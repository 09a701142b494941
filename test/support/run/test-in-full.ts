/** A test that runs in `npm run test:full` alone. Its file names the test that holds the promise in `npm test`. */

import { test } from 'vitest';
import { IS_FULL } from './test-extent.ts';

export const testInFull = test.runIf(IS_FULL);
