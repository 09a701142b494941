/** The embedded engine without a service, on a new directory with the tables. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChdb } from '../../../src/engine/chdb/open-chdb.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { ANY_ROW, select } from '../../../src/plan/select.ts';
import { plainStatement } from '../../../src/plan/sql.ts';
import { migrate } from '../../../src/schema/migrations.ts';
import { registerClose } from '../run/left-open.ts';
import { newDatabase } from './copied-database.ts';

export interface TestEngine {
  readonly engine: Engine;
  run(text: string): Promise<void>;
  rows<Row>(text: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}

export async function openTestEngine(timeZone = 'Europe/Paris'): Promise<TestEngine> {
  const directory = await mkdtemp(join(tmpdir(), 'transactions-engine-'));
  await newDatabase(join(directory, 'db'), timeZone);
  return await openedIn(directory);
}

/** Like `openTestEngine`, but with migrated instead of copied tables, for tests of the migrations. */
export async function openMigratedEngine(timeZone: string): Promise<TestEngine> {
  const directory = await mkdtemp(join(tmpdir(), 'transactions-engine-'));
  const opened = await openedIn(directory);
  await migrate(opened.engine, timeZone);
  return opened;
}

async function openedIn(directory: string): Promise<TestEngine> {
  const engine = await openChdb(join(directory, 'db'));
  return {
    engine,
    run: async (text) => await engine.execute(plainStatement(text)),
    rows: async <Row>(text: string) =>
      (await engine.rows(select(ANY_ROW, plainStatement(text)))) as readonly Row[],
    close: registerClose(async () => {
      await engine.close();
      await rm(directory, { recursive: true, force: true });
    }),
  };
}
