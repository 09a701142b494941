import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { type FileRow, fileRow, ndjson } from '../../support/rows/file-rows.ts';

type Group = Readonly<Record<string, unknown>>;

const MAY = 'start_date=2026-05-01&end_date=2026-05-31';

/** Website 7 has most types, 8 clicks only, 9 one sale, 10 one lead that earns as much as that sale. */
const ROWS: readonly FileRow[] = [
  { type: 'impressions', publisher_id: 7, total: 3000 },
  { type: 'clics', publisher_id: 7, total: 2 },
  { type: 'clics', publisher_id: 7, total: 5 },
  {
    type: 'sales',
    publisher_id: 7,
    status: 1,
    validation_date: '2026-05-06 10:00:00',
    remu_publisher: 10,
    amount: 99.99,
  },
  { type: 'sales', publisher_id: 7, status: 0, remu_publisher: 5, amount: 0.01 },
  { type: 'leads', publisher_id: 7, status: 2, remu_publisher: 0.000_001, subid: 'a' },
  { type: 'clics', publisher_id: 8, total: 3, status: 0, remu_publisher: 4 },
  { type: 'sales', publisher_id: 9, coupon: 'WINTER', remu_publisher: -2, program_id: 11 },
  { type: 'leads', publisher_id: 10, remu_publisher: -2 },
  // Both have the local time 02:30, because the clock is turned back between them.
  { type: 'sales', publisher_id: 11, created_at: '2026-10-25T00:30:00Z' },
  { type: 'sales', publisher_id: 11, created_at: '2026-10-25T01:30:00Z' },
  { type: 'sales', publisher_id: 11, created_at: '2026-02-28 14:00:00' },
  { type: 'sales', publisher_id: 11, created_at: '2026-03-30 09:00:00' },
  { type: 'sales', publisher_id: 11, created_at: '2027-02-28 14:00:00' },
].map((row) => fileRow({ created_at: '2026-05-05 10:00:00', ...row }));

describe.each(TESTED_STORES)('on the store %s', (store) => {
  let service: TestService;
  let admin: string;
  let affiliate: string;

  beforeAll(async () => {
    service = await startService({ store, timeZone: 'Europe/Paris' });
    await insertRows(service.database, ROWS);
    admin = await service.token({});
    affiliate = await service.token({ role: 'affiliate', publisherIds: [7, 8] });
  });

  afterAll(async () => await service.close());

  const pathOf = (query: string, role = 'admin') => `/api/${role}/performance?${query}`;

  async function ask(query: string): Promise<readonly Group[]> {
    const response = await service.get(pathOf(query), admin);
    expect(response.status).toBe(200);
    return (await response.json()) as readonly Group[];
  }

  const columnsOf = async (query: string, ...names: readonly string[]) =>
    (await ask(query)).map((group) => names.map((name) => group[name]));

  /** The code of a refusal, and what it says about each parameter. */
  async function refusalOf(query: string, role = 'admin', token = admin): Promise<unknown[]> {
    const { code, errors = [] } = Object(
      await (await service.get(pathOf(query, role), token)).json(),
    );
    return [code, ...errors.map(({ detail }: { detail: string }) => detail)];
  }

  test('ratios are rounded to six places, and null without a denominator', async () => {
    const path = pathOf(`${MAY}&group_by=publisher_id`);
    const text = await (await service.get(path, admin)).text();
    const [seven, eight] = text.split('\n').slice(1);
    // The ratios are 7 / 3000, 3 / 7, 10.000001 / 7, 1 / 2 and 100 / 2.
    expect(seven).toContain(
      '"earnings":10.000001,"click_through_rate":0.002333,"conversion_rate":0.428571,"earnings_per_click":1.428572,"approval_rate":0.5,"average_order_value":50}',
    );
    expect(eight).toContain(
      '"earnings":0,"click_through_rate":null,"conversion_rate":0,"earnings_per_click":0,"approval_rate":null,"average_order_value":null}',
    );
  });

  test('without groups there is one record with the totals, also of a period without rows', async () => {
    const [all, ...others] = await ask(MAY);
    expect(all).toMatchObject({ clics: 10, leads: 2, sales: 3, remu_publisher: 15.000_001 });
    const [none] = await ask('start_date=2020-01-01&end_date=2020-01-31');
    expect([others, none?.sales, none?.earnings, none?.conversion_rate]).toEqual([[], 0, 0, null]);
    expect(await ask('start_date=2020-01-01&end_date=2020-01-31&group_by=day')).toEqual([]);
  });

  test('equal values are sorted by their groups, and null is last in both orders', async () => {
    const by = async (sort: string) =>
      (await columnsOf(`${MAY}&group_by=publisher_id&sort=${sort}`, 'publisher_id')).flat();
    expect(await by('-earnings')).toEqual([7, 8, 9, 10]);
    expect(await by('earnings')).toEqual([9, 10, 8, 7]);
    expect(await by('conversion_rate')).toEqual([8, 7, 9, 10]);
    expect(await by('-conversion_rate')).toEqual([7, 8, 9, 10]);
  });

  test('pages follow each other by the header Link', async () => {
    const pages: unknown[][] = [];
    let path: string | undefined = pathOf(`${MAY}&group_by=publisher_id&sort=-sales&limit=3`);
    while (path !== undefined) {
      const response: Response = await service.get(path, admin);
      const groups = (await response.json()) as readonly Group[];
      pages.push(groups.map((group) => group.publisher_id));
      path = /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(pages).toEqual([[7, 9, 8], [10]]);
    const beyond = await ask(`${MAY}&group_by=publisher_id&limit=3&offset=4`);
    expect(beyond).toEqual([]);
  });

  test('hours are on the platform’s clock, and the repeated hour is one group', async () => {
    const autumn = 'start_date=2026-10-20&end_date=2026-10-26&group_by=hour';
    expect(await columnsOf(autumn, 'hour', 'sales')).toEqual([['2026-10-25 02:00', 2]]);
    expect(await refusalOf(autumn.replace('10-20', '10-19'))).toEqual([
      'invalid_parameters',
      'Can only contain "hour" for a period of at most 7 days.',
    ]);
  });

  test('the coupon of other types is null', async () => {
    const found = await columnsOf(`${MAY}&group_by=coupon`, 'coupon', 'sales', 'clics');
    expect(found).toEqual([
      ['WINTER', 1, 0],
      [null, 2, 10],
    ]);
    const ofProgram = await columnsOf(`${MAY}&group_by=coupon&program_id=11`, 'coupon', 'sales');
    expect(ofProgram).toEqual([['WINTER', 1]]);
  });

  test('a comparison adds the values of the former period, also for groups that only that period has', async () => {
    const june = 'start_date=2026-06-01&end_date=2026-06-30&group_by=publisher_id&compare=previous';
    const names = ['publisher_id', 'clics', 'former_clics', 'former_conversion_rate'];
    expect(await columnsOf(`${june}&sort=-earnings`, ...names)).toEqual([
      [7, 0, 7, 0.428571],
      [8, 0, 3, 0],
      [9, 0, 0, null],
      [10, 0, 0, null],
    ]);
    const year = 'start_date=2027-05-01&end_date=2027-05-31&group_by=day&compare=year';
    expect(await columnsOf(year, 'day', 'sales', 'former_sales')).toEqual([['2027-05-05', 0, 3]]);
    const header = await service.get(pathOf(`${june}&format=csv`), admin);
    expect((await header.text()).split('\r\n')[0]).toMatch(/,former_average_order_value$/);
  });

  test.each([
    ['start_date=2026-03-30&end_date=2026-03-31&compare=month', '2026-03-30', 1],
    ['start_date=2028-02-29&end_date=2028-02-29&compare=year', '2028-02-29', 0],
  ])('former sales never count before the first day of %s', async (period, day, sales) => {
    expect(await columnsOf(period, 'sales', 'former_sales')).toEqual([[sales, 1]]);
    const days = await columnsOf(`${period}&group_by=day`, 'day', 'sales', 'former_sales');
    expect(days).toEqual([[day, sales, 1]]);
    const hours = await columnsOf(`${period}&group_by=hour`, 'hour', 'former_sales');
    expect(hours.at(-1)).toEqual([`${day} 14:00`, 1]);
  });

  test('a change in the former period changes the entity tag', async () => {
    const path = pathOf('start_date=2026-09-01&end_date=2026-09-30&compare=previous');
    const before = (await service.get(path, admin)).headers.get('etag') ?? '';
    await service.importText(
      ndjson([fileRow({ publisher_id: 14, created_at: '2026-08-05 10:00:00' })]),
    );
    const after = await service.get(path, admin, { 'if-none-match': before });
    expect(after.status).toBe(200);
    expect(await after.json()).toMatchObject([{ sales: 0, former_sales: 1 }]);
  });

  test('filters select transactions', async () => {
    expect(await columnsOf(`${MAY}&publisher_id=8,9`, 'clics', 'sales')).toEqual([[3, 1]]);
    expect(await columnsOf(`${MAY}&subid=a`, 'clics', 'leads')).toEqual([[0, 1]]);
    expect(await columnsOf(`${MAY}&program_id=11`, 'clics', 'sales')).toEqual([[0, 1]]);
  });

  test('every text format has the same records', async () => {
    const query = `${MAY}&group_by=publisher_id&sort=-sales`;
    const bodyOf = async (more: string) =>
      await (await service.get(pathOf(query + more), admin)).text();
    const records = (await ask(query)).map((record) => JSON.stringify(record));
    expect(await bodyOf('&format=ndjson')).toBe(`${records.join('\n')}\n`);
    const csv = (await bodyOf('&format=csv')).split('\r\n');
    expect(csv[0]).toMatch(/^publisher_id,impressions,clics,.*,average_order_value$/);
    expect(csv[1]).toMatch(/^7,3000,7,.*,0\.428571,1\.428572,0\.5,50$/);
    expect((await bodyOf('&format=csv&limit=1')).split('\r\n')).toEqual([csv[0], csv[1], '']);
    const excel = await bodyOf('&csv=excel&limit=2');
    expect(excel).toMatch(/^publisher_id;impressions;.*\r\n7;.*;0,428571;1,428572;0,5;50\r\n/);
  });

  test('affiliates see their websites, and no measure or group of administrators', async () => {
    const own = (await (await service.get(pathOf(MAY, 'affiliate'), affiliate)).json()) as Group[];
    expect(own).toMatchObject([{ clics: 10, sales: 2, remuneration: 19.000_001 }]);
    expect(Object.keys(own[0] ?? {}).join()).not.toMatch(/amount|remu_|order/);
    for (const more of [
      'sort=amount',
      'sort=-average_order_value',
      'group_by=coupon',
      'group_by=invoice_id',
    ]) {
      const [code] = await refusalOf(`${MAY}&${more}`, 'affiliate', affiliate);
      expect(code, more).toBe('invalid_parameters');
    }
    const foreign = await refusalOf(`${MAY}&publisher_id=9`, 'affiliate', affiliate);
    expect(foreign).toEqual(['publisher_forbidden']);
  });

  test('administrators of some programs see only these', async () => {
    const limited = await service.token({ programIds: [11] });
    const [all] = (await (await service.get(pathOf(MAY), limited)).json()) as Group[];
    expect([all?.clics, all?.sales, all?.leads]).toEqual([0, 1, 0]);
    const foreign = await refusalOf(`${MAY}&program_id=10`, 'admin', limited);
    expect(foreign).toEqual(['program_forbidden']);
  });

  test('a misspelled measure is refused with a suggestion', async () => {
    const [, detail] = await refusalOf(`${MAY}&sort=-earning`);
    expect(detail).toContain('Did you mean "-earnings"?');
  });
});
