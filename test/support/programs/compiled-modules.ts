/** Cache of compiled modules for the commands that tests start: compiling is a third of their start. */

import { join } from 'node:path';
import { inject } from 'vitest';

export const COMPILED = { NODE_COMPILE_CACHE: join(inject('shared'), 'compiled') };
