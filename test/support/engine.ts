/** The embedded engine alone, on a directory of its own, with the service's tables. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command } from '../../src/plan/sql.ts';
import { openChdb } from '../../src/store/chdb/open-chdb.ts';
import type { Engine } from '../../src/store/engine.ts';
import { migrate } from '../../src/store/migrations.ts';

export interface TestEngine {
  readonly engine: Engine;
  run(text: string): Promise<void>;
  rows<Row>(text: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}

export async function openTestEngine(timeZone = 'Europe/Paris'): Promise<TestEngine> {
  const directory = await mkdtemp(join(tmpdir(), 'transactions-engine-'));
  const engine = await openChdb(join(directory, 'db'));
  await migrate(engine, timeZone);
  return {
    engine,
    run: async (text) => await engine.execute(command(text)),
    rows: async <Row>(text: string) => (await engine.rows(command(text))) as readonly Row[],
    async close() {
      await engine.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
