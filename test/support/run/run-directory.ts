/** Gives a run of the tests a place for what its files have in common: databases that are copied, and compiled modules. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const place = await mkdtemp(join(tmpdir(), 'transactions-new-'));
  provide('shared', place);
  return async () => await rm(place, { recursive: true, force: true });
}
