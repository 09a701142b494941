/** A test that runs in `npm run test:full` alone. Its file names a test of the same behaviour in `npm test`. */

import { test } from 'vitest';
import { IS_FULL } from './test-extent.ts';

export const testInFull = test.runIf(IS_FULL);
