import { expect, test } from 'vitest';
import { EngineFailure } from '../../../src/engine/engine.ts';
import { readiness } from '../../../src/http/routes/readiness.ts';

/** A readiness check with a fake clock, of an engine that counts its probes. */
function checkedEngine() {
  const engine = { probes: 0, failure: undefined as Error | undefined };
  const clock = { now: 0 };
  const reader = {
    rows: async () => {
      engine.probes += 1;
      if (engine.failure !== undefined) throw engine.failure;
      return [];
    },
    read: () => {
      throw new TypeError('A check reads no report.');
    },
  };
  return { engine, clock, check: readiness(reader, { now: () => clock.now }) };
}

test('concurrent checks share one probe of the engine', async () => {
  const { engine, check } = checkedEngine();
  await Promise.all(Array.from({ length: 100 }, check));
  expect(engine.probes).toBe(1);
});

test('a successful probe is valid for a second', async () => {
  const { engine, clock, check } = checkedEngine();
  await check();
  clock.now += 999;
  await check();
  expect(engine.probes).toBe(1);
  clock.now += 1;
  await check();
  expect(engine.probes).toBe(2);
});

test('a failed probe fails all checks that wait for it, and is not cached', async () => {
  const { engine, check } = checkedEngine();
  engine.failure = new EngineFailure('No answer.');
  const checks = await Promise.allSettled([check(), check()]);
  expect(checks.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(engine.probes).toBe(1);
  engine.failure = undefined;
  await check();
  expect(engine.probes).toBe(2);
});
