/** Creates the directory that the test files of a run share: database templates and compiled modules. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const place = await mkdtemp(join(tmpdir(), 'transactions-new-'));
  provide('shared', place);
  // Processes that end at this moment may still write their compiled modules.
  return async () => await rm(place, { recursive: true, force: true, maxRetries: 10 });
}
