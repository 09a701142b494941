import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addNewRows } from '../support/databases/inserted/new-rows.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';

const LIST = '/api/admin/transactions?type=sales&start_date=2026-01-01&end_date=2026-01-31';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => await service.close());

const SALE = { created_at: '2026-01-10 12:00:00' };

/** The lookups that a list makes before it reads its rows. */
async function lookUpsOfList(token: string): Promise<readonly string[]> {
  const rows = vi.spyOn(service.database.engine, 'rows');
  try {
    const response = await service.get(LIST, token);
    expect(response.status).toBe(200);
    await response.text();
    return rows.mock.calls.map(([{ text }]) => text);
  } finally {
    rows.mockRestore();
  }
}

test('the first list after an import needs no lookup, and the first one after a new token does', async () => {
  const token = await service.token({ role: 'admin' });
  await addNewRows(service, [fileRow(SALE)]);
  await lookUpsOfList(token);
  await service.importText(ndjson([fileRow(SALE)]));
  await service.monthCache?.settled();
  expect(await lookUpsOfList(token)).toEqual([]);
  await service.token({ role: 'admin' });
  expect(await lookUpsOfList(token)).not.toEqual([]);
});
