import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type Engine,
  EngineBusy,
  EngineFailure,
  type ExecuteOptions,
} from '../../src/engine/engine.ts';
import { pausingMerges } from '../../src/ingest/pause-merges.ts';
import { openStaging } from '../../src/ingest/staging/open-staging.ts';
import { stagedChanges } from '../../src/ingest/staging/staged-changes.ts';
import { dropStaging, stagedTables, stagingOf } from '../../src/ingest/staging/staging.ts';
import { select } from '../../src/plan/select.ts';
import { plainStatement, type Statement } from '../../src/plan/sql.ts';
import { clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import { TRANSACTION_TABLES } from '../../src/schema/transaction-tables.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { csv } from '../support/rows/csv.ts';
import { SAMPLE } from '../support/rows/sample-transactions.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => await service.close());

/** Milliseconds: longer than the time after which an import pauses merges. */
const LONG = 1_500;

/** Fails while merges are paused. */
const merge = async () =>
  await service.database.engine.execute(plainStatement('OPTIMIZE TABLE transactions FINAL'), {
    changes: 'nothing',
  });

test('a long import pauses merges until its end, and leaves the data version as it is', async () => {
  const { engine } = service.database;
  await service.importText(csv(SAMPLE));
  const before = engine.versions;
  {
    await using _ = pausingMerges(engine);
    await merge();
    await expect.poll(async () => await merge().catch(String)).toContain('merg');
  }
  await merge();
  expect(engine.versions).toEqual(before);
});

test('tables whose parts never merge may have the parts of any number of files', async () => {
  const { engine, topology } = service.database;
  const nodes = await clusterNodesOf(engine, topology);
  const staging = stagingOf('ab');
  await openStaging(nodes, staging);
  const tables = [...stagedTables(topology, staging), stagedChanges(topology, staging)];
  const names = tables.map(({ table }) => `'${table}'`).join(', ');
  const text = `SELECT engine_full FROM system.tables WHERE name IN (${names})`;
  const found = await engine.rows(
    select(v.object({ engine_full: v.string() }), plainStatement(text)),
  );
  expect(found).toHaveLength(tables.length);
  for (const { engine_full } of found) {
    expect(engine_full).toContain(
      'parts_to_delay_insert = 1000000, parts_to_throw_insert = 1000000, max_parts_in_total = 10000000',
    );
  }
  await dropStaging(nodes, staging);
});

/** The engine of the service with an `execute` that does nothing, and with the given parts replaced. */
const spied = (parts: Partial<Engine> = {}) => {
  const execute = vi.fn(async (_: Statement, __?: ExecuteOptions) => undefined);
  const { engine } = service.database;
  const own = {
    versions: { all: 0, tokensAndValues: 0 },
    rows: engine.rows.bind(engine),
    execute,
    ...parts,
  };
  return {
    engine: Object.create(engine, Object.getOwnPropertyDescriptors(own)) as Engine,
    execute,
  };
};

test('after a pause, merges start again in each table, even if the queue is full or another table fails', async () => {
  const [failing, ...others] = TRANSACTION_TABLES.map(({ table }) => table);
  const paused = Promise.withResolvers<void>();
  const started: string[] = [];
  let refusals = 0;
  const execute = async ({ text }: Statement) => {
    const [, change, table = ''] = /^SYSTEM (START|STOP) MERGES (\w+)$/.exec(text) ?? [];
    if (change === 'STOP' && table === others.at(-1)) paused.resolve();
    if (change !== 'START') return;
    if (table === failing) throw new EngineFailure('Broken');
    refusals += 1;
    if (refusals <= others.length) throw new EngineBusy();
    started.push(table);
  };
  {
    await using _ = pausingMerges(spied({ execute }).engine);
    await paused.promise;
  }
  expect(started.sort()).toEqual(others.sort());
});

describe('nothing is paused', () => {
  test('by an import that ends soon', async () => {
    const { engine, execute } = spied();
    {
      await using _ = pausingMerges(engine);
    }
    expect(execute).not.toHaveBeenCalled();
  });

  test('while a month has many parts, on a server, and if the engine fails', async () => {
    const rows = async () => {
      throw new Error('No memory');
    };
    const cases = {
      'many parts': spied({ rows: async () => [{ most: 61 }] as never[] }),
      'a server has no data version': spied({ versions: undefined }),
      'a failure': spied({ rows }),
    };
    await using imports = new AsyncDisposableStack();
    for (const { engine } of Object.values(cases)) imports.use(pausingMerges(engine));
    await delay(LONG);
    for (const [name, { execute }] of Object.entries(cases))
      expect(execute, name).not.toHaveBeenCalled();
  });
});
