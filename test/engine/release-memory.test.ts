import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { releasingMemory } from '../../src/ingest/release-memory.ts';
import { openTestEngine, type TestEngine } from '../support/databases/engine.ts';

let database: TestEngine;

beforeAll(async () => {
  database = await openTestEngine();
});

afterAll(async () => await database.close());

test('releasing memory leaves the data version as it is', async () => {
  const { engine } = database;
  const before = engine.versions;
  await engine.releaseMemory?.();
  expect(engine.releaseMemory).toBeDefined();
  expect(engine.versions).toEqual(before);
});

test('memory is released repeatedly during an import, and not after it', async () => {
  const releaseMemory = vi.fn(async () => undefined);
  {
    await using _ = releasingMemory(withRelease(releaseMemory), growing());
    await expect.poll(() => releaseMemory.mock.calls.length).toBeGreaterThan(2);
  }
  const { length } = releaseMemory.mock.calls;
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(releaseMemory).toHaveBeenCalledTimes(length);
});

test('an engine that cannot release memory does not fail the import', async () => {
  const releaseMemory = vi.fn(async () => {
    throw new Error('Unknown statement');
  });
  {
    await using _ = releasingMemory(withRelease(releaseMemory), growing());
    await expect.poll(() => releaseMemory.mock.calls.length).toBe(1);
  }
  expect(releaseMemory).toHaveBeenCalledOnce();
});

test('an import releases nothing as long as it takes little memory', async () => {
  const releaseMemory = vi.fn(async () => undefined);
  let reads = 0;
  const nearlyConstant = () => {
    reads += 1;
    return (100 + (reads % 30)) * MEGABYTE;
  };
  {
    await using _ = releasingMemory(withRelease(releaseMemory), nearlyConstant);
    await expect.poll(() => reads).toBeGreaterThan(5);
  }
  expect(releaseMemory).not.toHaveBeenCalled();
});

const MEGABYTE = 1024 * 1024;

/** The memory of a process that takes a hundred megabytes between two reads. */
function growing(): () => number {
  let used = 0;
  return () => {
    used += 100 * MEGABYTE;
    return used;
  };
}

const withRelease = (releaseMemory: () => Promise<void>): Engine =>
  Object.assign(Object.create(database.engine), { releaseMemory });
