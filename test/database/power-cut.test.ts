import { readdir } from 'node:fs/promises';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PARTNERSHIPS } from '../../src/plan/report-table.ts';
import { INTEGER, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { TRANSACTION_TABLES } from '../../src/schema/transaction-tables.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({});
});

afterAll(async () => await service.close());

/** How many files the engine has written to the disk with `fsync`. */
async function countSynced(): Promise<number> {
  const text = "SELECT sum(value) AS synced FROM system.events WHERE event = 'FileSync'";
  const counts = select(v.object({ synced: INTEGER }), plainStatement(text));
  return (await service.database.engine.rows(counts))[0]?.synced ?? 0;
}

/** How many files the parts of an import have. */
async function countFiles(): Promise<number> {
  const tables = [...TRANSACTION_TABLES.map(({ table }) => table), PARTNERSHIPS, 'changes'];
  const text = `SELECT path FROM system.parts WHERE active AND has(['${tables.join("','")}'], table)`;
  const parts = await service.database.engine.rows(
    select(v.object({ path: v.string() }), plainStatement(text)),
  );
  expect(parts.length).toBeGreaterThanOrEqual(tables.length);
  const files = await Promise.all(parts.map(async ({ path }) => await readdir(path)));
  return files.flat().length;
}

test('all files of an import are on disk before it counts as imported', async () => {
  const before = await countSynced();
  // A part for each month. The marks of an import, whose files are counted too, have far fewer files.
  const months = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'];
  await service.importText(
    ndjson(months.map((month) => fileRow({ created_at: `${month}-15 12:00:00` }))),
  );
  expect((await countSynced()) - before).toBeGreaterThanOrEqual(await countFiles());
});
