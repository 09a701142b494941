/** Runs in every file of tests: enables the compile cache of commands, so that threads of services start sooner. */

import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(
  fileURLToPath(new URL('../../../node_modules/.cache/transactions', import.meta.url)),
);
