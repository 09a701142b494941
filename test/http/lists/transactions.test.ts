import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { startService, type TestService } from '../../support/requests/service.ts';

const ROWS = `type,transaction_id,program_id,publisher_id,support_id,status,validation_date,created_at,updated_at
sales,2,10,100,1,2,,2026-01-31 23:59:59,2026-02-01 00:00:00
sales,1,10,100,1,1,2026-02-01 10:00:00,2026-01-01 00:00:00,2026-02-01 10:00:00
sales,3,11,101,1,0,,2026-02-01 00:00:00,2026-02-01 00:00:00
leads,4,10,100,1,2,,2026-01-15 12:00:00,2026-01-15 12:00:00
`;

const january = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';

describe.each(TESTED_STORES)('on the store %s', (store) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ store });
    await service.importText(ROWS);
  });

  afterAll(async () => await service.close());

  test('an admin gets the transactions of the first day to the last, in order of creation', async () => {
    const response = await service.get(
      `/api/admin/transactions?${january}`,
      await service.token({}),
    );
    expect(response.status).toBe(200);
    const rows = (await response.json()) as { transaction_id: number }[];
    expect(rows.map(({ transaction_id }) => transaction_id)).toEqual([1, 2]);
  });

  test('a period without transactions is an empty array', async () => {
    const path = '/api/admin/transactions?type=clics&start_date=2026-01-01&end_date=2026-01-31';
    const response = await service.get(path, await service.token({}));
    expect(await response.text()).toBe('[]\n');
  });

  test('the label is in the language of the token, whatever the header Accept-Language says', async () => {
    const token = await service.token({ locale: 'en' });
    const path = `/api/admin/transactions?${january}`;
    const response = await service.get(path, token, { 'accept-language': 'de' });
    const rows = (await response.json()) as { status_label: string }[];
    expect(rows.map(({ status_label }) => status_label)).toEqual(['Validated', 'Pending']);
    expect(response.headers.get('content-language')).toBe('en');
  });
});
