import { expect, test } from 'vitest';
import { VersionCounter } from '../../src/engine/chdb/version-counter.ts';
import { declareChanges } from '../../src/engine/declare-changes.ts';
import type { ChangedData, Engine } from '../../src/engine/engine.ts';
import { plainStatement } from '../../src/plan/sql.ts';

const statement = plainStatement('SELECT 1');

/** An engine that records what its statements change. */
function recordingEngine() {
  const noted: (ChangedData | undefined)[] = [];
  const engine = {
    execute: async (_: unknown, { changes }: { changes?: ChangedData } = {}) => {
      noted.push(changes);
    },
    each: () => [engine],
  } as unknown as Engine;
  return { engine, noted };
}

test('a statement changes what its caller declared, unless it declares less itself', async () => {
  const { engine, noted } = recordingEngine();
  const declared = declareChanges(engine, 'rows');
  await declared.execute(statement);
  await declared.execute(statement, { changes: 'nothing' });
  for (const server of declared.each()) await server.execute(statement);
  expect(noted).toEqual(['rows', 'nothing', 'rows']);
});

test('a statement that changes more than is declared fails before it runs', async () => {
  const { engine, noted } = recordingEngine();
  const run = declareChanges(engine, 'rows').execute(statement, { changes: 'all' });
  await expect(run).rejects.toThrow('A statement changes "all", but its caller declared "rows".');
  expect(noted).toEqual([]);
});

test.each([
  ['nothing', { all: 0, tokensAndValues: 0 }],
  ['rows', { all: 1, tokensAndValues: 0 }],
  ['all', { all: 1, tokensAndValues: 1 }],
] as const)('a statement that changes %s leads to the data versions %o', (changes, versions) => {
  const counter = new VersionCounter();
  const before = counter.current;
  counter.advance(changes);
  expect(counter.current).toEqual(versions);
  expect(before).toEqual({ all: 0, tokensAndValues: 0 });
});
