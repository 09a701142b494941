import { afterAll, beforeAll, expect, test } from 'vitest';
import { EngineFailure } from '../../src/engine/engine.ts';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { openTestEngine, type TestEngine } from '../support/databases/engine.ts';

let opened: TestEngine;

beforeAll(async () => {
  opened = await openTestEngine();
});

afterAll(async () => await opened.close());

const LIMIT = plainStatement("SELECT getSetting('max_execution_time') AS seconds");

test('a summary is limited to ten minutes, and a list has no time limit', async () => {
  const limitOf = async (more: object) =>
    await opened.engine.rows({ ...select(ANY_ROW, LIMIT), ...more });
  expect(await limitOf({ isAggregation: true })).toEqual([{ seconds: 600 }]);
  expect(await limitOf({ boundaries: { lead: '' } })).toEqual([{ seconds: 0 }]);
});

test('a query that reaches its time limit fails, and the failure is not transient', async () => {
  const statement = 'SELECT count() FROM numbers(1e12) SETTINGS max_execution_time = 1';
  const failure = await opened.engine
    .execute(plainStatement(statement))
    .catch((error: unknown) => error);
  if (!(failure instanceof EngineFailure)) throw new Error('The query has no limit.');
  expect([failure.isTimeout, failure.isTransient]).toEqual([true, false]);
});
