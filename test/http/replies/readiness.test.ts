import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EngineFailure, type Reader } from '../../../src/engine/engine.ts';
import { startService, type TestService } from '../../support/requests/service.ts';

let service: TestService;
let asked = 0;
let failure: EngineFailure | undefined;

beforeAll(async () => {
  const watched = (reader: Reader): Reader => ({
    read: (statement, signal) => reader.read(statement, signal),
    rows: async (statement, signal) => {
      asked += 1;
      if (failure !== undefined) throw failure;
      return await reader.rows(statement, signal);
    },
  });
  service = await startService({ parts: (parts) => ({ ...parts, reader: watched(parts.reader) }) });
});

afterAll(async () => await service.close());

const ready = async (): Promise<number> => (await service.get('/health/ready')).status;

test('however many ask whether the service is ready, the engine is asked once a second', async () => {
  asked = 0;
  const started = performance.now();
  const statuses = await Promise.all(Array.from({ length: 100 }, ready));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(asked).toBeLessThanOrEqual(1 + (performance.now() - started) / 1000);
  const before = asked;
  await sleep(1100);
  expect(await ready()).toBe(200);
  expect(asked).toBe(before + 1);
});

test('a failure is told, and not kept', async () => {
  await sleep(1100);
  failure = new EngineFailure('No answer.');
  expect(await ready()).toBe(503);
  failure = undefined;
  expect(await ready()).toBe(200);
});
