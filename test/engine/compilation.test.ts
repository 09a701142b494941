import { afterAll, beforeAll, expect, test } from 'vitest';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { openTestEngine, type TestEngine } from '../support/databases/engine.ts';

let opened: TestEngine;

beforeAll(async () => {
  opened = await openTestEngine();
});

afterAll(async () => await opened.close());

const SETTINGS = [
  'compile_aggregate_expressions',
  'compile_expressions',
  'compile_regular_expressions',
  'compile_sort_description',
];

const COMPILED = plainStatement(`SELECT name FROM system.settings
WHERE name LIKE 'compile%' AND value = '1' ORDER BY name`);

test.each([
  ['a list', { boundaries: { lead: '' } }, []],
  ['a lookup', {}, []],
  ['a summary', { isAggregation: true }, SETTINGS],
  ['a scan', { isScan: true }, SETTINGS],
])('what the engine compiles for %s', async (_, kind, compiled) => {
  const rows = await opened.engine.rows({ ...select(ANY_ROW, COMPILED), ...kind });
  expect(rows).toEqual(compiled.map((name) => ({ name })));
});

test('the engine compiles nothing for an import', async () => {
  const { engine } = opened;
  const failIf = (condition: string) =>
    engine.execute(plainStatement(`SELECT throwIf(${condition})`));
  await failIf(SETTINGS.map((name) => `getSetting('${name}')`).join(' OR '));
  await expect(failIf("getSetting('max_query_size') > 0")).rejects.toThrow();
});
