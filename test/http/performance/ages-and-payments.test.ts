import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow } from '../../support/rows/file-rows.ts';

type Group = Readonly<Record<string, unknown>>;

describe.each(TESTED_STORES)('on the store %s', (store) => {
  let service: TestService;
  let admin: string;

  beforeAll(async () => {
    service = await startService({ store });
    admin = await service.token({});
  });

  afterAll(async () => await service.close());

  async function columnsOf(query: string, ...names: readonly string[]): Promise<unknown[][]> {
    const response = await service.get(`/api/admin/performance?${query}`, admin);
    const groups = (await response.json()) as readonly Group[];
    return groups.map((group) => names.map((name) => group[name]));
  }

  test('pending earnings are grouped by their age', async () => {
    const dateOf = (days: number) =>
      new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const rows = [10, 11, 45, 75, 200].map((days) =>
      fileRow({ publisher_id: 12, remu_publisher: 1, created_at: `${dateOf(days)} 12:00:00` }),
    );
    await insertRows(service.database, rows);
    const query = `start_date=${dateOf(300)}&end_date=${dateOf(0)}&publisher_id=12&group_by=age`;
    expect(await columnsOf(query, 'age', 'remu_publisher_pending')).toEqual([
      ['0-30', 2],
      ['31-60', 1],
      ['61-90', 1],
      ['91+', 1],
    ]);
    const summary = `/api/admin/transactions/summary?type=sales&${query}`;
    expect(await (await service.get(summary, admin)).json()).toMatchObject([
      { age: '0-30', count: 2 },
      { age: '31-60', count: 1 },
      { age: '61-90', count: 1 },
      { age: '91+', count: 1 },
    ]);
  });

  test('earnings are grouped by payment and by invoice', async () => {
    const paid = (payment_id: string | null, invoice_id: string, remu_publisher: number) =>
      fileRow({
        publisher_id: 13,
        created_at: '2026-07-01 10:00:00',
        status: 1,
        validation_date: '2026-07-02 10:00:00',
        payment_id,
        invoice_id,
        remu_publisher,
      });
    await insertRows(service.database, [
      paid('P-1', 'I-1', 1),
      paid('P-1', 'I-2', 2),
      paid(null, 'I-2', 4),
    ]);
    const july = 'start_date=2026-07-01&end_date=2026-07-31';
    expect(await columnsOf(`${july}&group_by=payment_id`, 'payment_id', 'earnings')).toEqual([
      ['P-1', 3],
      [null, 4],
    ]);
    expect(await columnsOf(`${july}&group_by=invoice_id`, 'invoice_id', 'earnings')).toEqual([
      ['I-1', 1],
      ['I-2', 6],
    ]);
  });
});
