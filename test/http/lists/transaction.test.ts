import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../../client/src/index.ts';
import { KINDS } from '../../../src/contract/record/kinds.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow, ndjson } from '../../support/rows/file-rows.ts';

const PERIOD = 'start_date=1990-01-01&end_date=2030-12-31';

const OWN = 100;
const FOREIGN = 200;

const rows = KINDS.flatMap((type, at) => [
  fileRow({
    type,
    transaction_id: 10 + at,
    publisher_id: OWN,
    created_at: '1999-01-02 03:04:05',
    updated_at: '1999-01-02 03:04:05',
  }),
  fileRow({ type, transaction_id: 20 + at, publisher_id: OWN }),
  fileRow({ type, transaction_id: 30 + at, publisher_id: FOREIGN }),
]);

describe.each(TESTED_STORES)('one transaction of the store %s', (store) => {
  let service: TestService;
  let admin: string;
  let affiliate: string;

  beforeAll(async () => {
    service = await startService({ store });
    await service.importText(ndjson(rows));
    admin = await service.token({});
    affiliate = await service.token({ role: 'affiliate', publisherIds: [OWN], locale: 'en' });
  });

  afterAll(async () => await service.close());

  const get = async (path: string, token = admin, headers = {}) =>
    await service.get(
      `/api/${token === admin ? 'admin' : 'affiliate'}/transactions/${path}`,
      token,
      headers,
    );

  test.each(KINDS)('is the record of the list: %s', async (type) => {
    for (const token of [admin, affiliate]) {
      const role = token === admin ? 'admin' : 'affiliate';
      const list = await service.get(`/api/${role}/transactions?type=${type}&${PERIOD}`, token);
      const records = (await list.json()) as { transaction_id: number }[];
      expect(records).toHaveLength(token === admin ? 3 : 2);
      for (const record of records) {
        const answer = await get(`${type}/${record.transaction_id}`, token);
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
        const text = await answer.text();
        expect(JSON.parse(text)).toEqual(record);
        expect(text).toBe(`${JSON.stringify(JSON.parse(text))}\n`);
      }
    }
  });

  test('has the requested fields and language, and a tag', async () => {
    const answer = await get('sales/24?fields=status_label,transaction_id', affiliate, {
      'accept-language': 'en',
    });
    expect(await answer.json()).toEqual({ status_label: 'Pending', transaction_id: 24 });
    const tag = answer.headers.get('etag') ?? '';
    const again = await get('sales/24?fields=status_label,transaction_id', affiliate, {
      'accept-language': 'en',
      'if-none-match': tag,
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('gets the same response if it is missing, foreign or of another type', async () => {
    const responses = [
      'sales/34',
      'sales/999',
      'sales/23',
      'leads/24',
      'sales/x',
      'sales/-1',
      'sales/024',
      'sales/9007199254740992',
      `sales/${'9'.repeat(101)}`,
      'sales/%27',
    ].map(async (path) => {
      const answer = await get(path, affiliate, { 'x-request-id': 'same' });
      const headers = [...answer.headers].filter(
        ([name]) => !['date', 'etag', 'ratelimit'].includes(name),
      );
      return JSON.stringify([
        answer.status,
        headers.filter(([name]) => name !== 'cache-control'),
        await answer.text(),
      ]);
    });
    const [first, ...others] = await Promise.all(responses);
    expect(first).toContain('transaction_not_found');
    for (const other of others) expect(other).toBe(first);
  });

  test('is 304 for If-None-Match: *, and not found if it does not exist', async () => {
    const any = { 'if-none-match': '*' };
    const known = await get('sales/24', affiliate, any);
    expect([known.status, await known.text()]).toEqual([304, '']);
    for (const id of [999, 34]) {
      const answer = await get(`sales/${id}`, affiliate, any);
      expect([answer.status, await answer.text()]).toEqual([
        404,
        expect.stringContaining('transaction_not_found'),
      ]);
    }
  });

  test('of another program is not found by an administrator who is limited to one', async () => {
    const limited = await service.token({ programIds: [999] });
    const answer = await service.get('/api/admin/transactions/sales/24', limited);
    expect([answer.status, await answer.text()]).toEqual([
      404,
      expect.stringContaining('transaction_not_found'),
    ]);
  });

  test('is returned by the client, which throws the problem of a missing one', async () => {
    const { transactions } = createClient({ baseUrl: service.url, token: affiliate }).affiliate;
    const row = await transactions.get('sales', 24);
    expect([row.transaction_id, row.publisher_id]).toEqual([24, OWN]);
    await expect(transactions.get('sales', 34)).rejects.toMatchObject({
      status: 404,
      code: 'transaction_not_found',
    });
  });

  test('is not found under an unknown type', async () => {
    const answer = await get('orders/24');
    expect([answer.status, await answer.text()]).toEqual([
      404,
      expect.stringContaining('"not_found"'),
    ]);
  });

  test.each(['limit=1', 'start_date=2026-01-01', 'format=csv'])('refuses %s', async (query) => {
    expect((await get(`sales/24?${query}`)).status).toBe(400);
  });

  test.each(['POST', 'DELETE', 'PUT'])('cannot be changed with %s', async (method) => {
    const response = await fetch(`${service.url}/api/admin/transactions/sales/24`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
