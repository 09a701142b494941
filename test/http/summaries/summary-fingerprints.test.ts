import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainStatement } from '../../../src/plan/sql.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { type FileRow, fileRow, ndjson } from '../../support/rows/file-rows.ts';

const MARCH = 'type=sales&start_date=2026-03-01&end_date=2026-03-31&group_by=day';

const sale = (transaction_id: number, day: number, values: FileRow = {}): FileRow =>
  fileRow({
    transaction_id,
    publisher_id: 7 + (transaction_id % 2),
    created_at: `2026-03-0${day} 12:00:00`,
    updated_at: '2026-03-09 12:00:00',
    ...values,
  });

const ROWS = [sale(1, 1), sale(2, 1), sale(3, 2, { amount: 5, invoice_id: 'one' }), sale(4, 3)];

describe.each(TESTED_STORES)('on the store %s', (store) => {
  let service: TestService;
  const tokens = { admin: '', affiliate: '' };

  beforeAll(async () => {
    service = await startService({ store });
    await service.importText(ndjson(ROWS));
    tokens.admin = await service.token({});
    tokens.affiliate = await service.token({ role: 'affiliate', publisherIds: [7, 8] });
  });

  afterAll(async () => await service.close());

  /** The fingerprints by day. */
  async function fingerprints(role: 'admin' | 'affiliate'): Promise<Record<string, string>> {
    const path = `/api/${role}/transactions/summary?${MARCH}`;
    const groups = await (await service.get(path, tokens[role])).json();
    return Object.fromEntries(
      (groups as { day: string; fingerprint: string }[]).map(({ day, fingerprint }) => [
        day.slice(-2),
        fingerprint,
      ]),
    );
  }

  const both = async () => [await fingerprints('admin'), await fingerprints('affiliate')] as const;

  test('the same rows have the same fingerprints on every store', async () => {
    expect(await both()).toEqual([
      { '01': '29ce5ac8299fd1b6', '02': 'cbd46897551aaf72', '03': '70fcec43f70c2bc1' },
      { '01': '99dd07f48fbe68f5', '02': 'ad4ef4de39c06370', '03': '08460c6678f79230' },
    ]);
  });

  test('importing the same file again, in another order, changes no fingerprint', async () => {
    const before = await both();
    await service.importText(ndjson([...ROWS].reverse()));
    expect(await both()).toEqual(before);
  });

  test('a merge changes no fingerprint', async () => {
    const before = await both();
    const suffix = store === 'cluster' ? '_local' : '';
    for (const server of service.database.engine.each()) {
      for (const table of ['transactions', 'affiliate_transactions']) {
        await server.execute(plainStatement(`OPTIMIZE TABLE ${table}${suffix} FINAL`));
      }
    }
    expect(await both()).toEqual(before);
  });

  test('a changed row and a new one change only the fingerprints of their groups', async () => {
    const [before] = await both();
    const changedRow = sale(3, 2, { updated_at: '2026-03-09 12:00:01', status: 0 });
    await service.importText(ndjson([changedRow, sale(5, 1)]));
    const [after] = await both();
    expect(after['02']).not.toBe(before['02']);
    expect(after['01']).not.toBe(before['01']);
    expect(after['03']).toBe(before['03']);
  });

  test('fields that affiliates cannot see do not change their fingerprints', async () => {
    const [admin, affiliate] = await both();
    await service.importText(ndjson([sale(4, 3, { invoice_id: 'two', amount: 8 })]));
    const [adminAfter, affiliateAfter] = await both();
    expect(adminAfter['03']).not.toBe(admin['03']);
    expect(affiliateAfter).toEqual(affiliate);
  });
});
