import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { completeErasures } from '../../src/database/complete-erasures.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { type Engine, EngineFailure } from '../../src/engine/engine.ts';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import { newDatabase } from '../support/databases/copied-database.ts';

let home: string;
let directory: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-erasure-'));
  directory = join(home, 'db');
  await newDatabase(directory, 'UTC');
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

const opened = async () => await openDatabase({ url: `chdb:${directory}`, timeZone: 'UTC' });

test('an erasure that cannot be completed keeps the database closed, and the error says what to type', async () => {
  const { engine, topology } = await opened();
  // A full disk is the usual reason why an erasure cannot be completed.
  const nodes = await clusterNodesOf(engine, topology);
  const rows = async () => {
    throw new EngineFailure('Code: 243. No space left on device');
  };
  const full: Engine = Object.create(engine, { rows: { value: rows } });
  await expect(completeErasures({ ...nodes, engine: full }, directory)).rejects.toMatchObject({
    message: expect.stringContaining('could show the persons'),
    next: expect.stringMatching(/^Free space .* then type: transactions check/),
  });
  // The transactions to erase are not known any more, as in a damaged database.
  await engine.execute(
    plainStatement("INSERT INTO erasures SELECT 'damaged', 'empty', 'erasing', now64(3, 'UTC')"),
  );
  await engine.close();
  await expect(opened()).rejects.toMatchObject({
    message: expect.stringContaining('An erasure was interrupted and cannot be completed'),
    next: expect.stringContaining('transactions restore'),
  });
});

test('an erasure that is refused during an import or a backup leaves nothing that later imports apply', async () => {
  const other = join(home, 'other');
  await newDatabase(other, 'UTC');
  const database = await openDatabase({ url: `chdb:${other}`, timeZone: 'UTC' });
  const { engine } = database;
  const operator = new LocalOperator(database);
  const count = async () =>
    await engine.rows(select(ANY_ROW, plainStatement('SELECT count() AS hashes FROM erased')));
  const order = { selectors: [{ field: 'clickid', values: ['a'] }], mode: 'empty' } as const;
  try {
    const before = await count();
    await engine.execute(
      plainStatement('CREATE TABLE import_ab12_copy (a UInt8) ENGINE = MergeTree ORDER BY a'),
    );
    await expect(operator.erase(order)).rejects.toThrow('A backup or an import is under way');
    expect(await count()).toEqual(before);
    await engine.execute(plainStatement('DROP TABLE import_ab12_copy SYNC'));
    await operator.erase(order);
    expect(await count()).not.toEqual(before);
  } finally {
    await operator.close();
  }
});
