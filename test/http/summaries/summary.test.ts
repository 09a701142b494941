import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES } from '../../../src/contract/record/records.ts';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow } from '../../support/rows/file-rows.ts';

type Group = Readonly<Record<string, unknown>>;

const AWKWARD = ['"quoted", \\ and \n new', 'é ü', '=1+1', "it's"];

const MAY = 'start_date=2026-05-01&end_date=2026-05-31';

const summary = (query: string, role = 'admin') => `/api/${role}/transactions/summary?${query}`;

describe.each(TESTED_STORES)('on the store %s', (store) => {
  let service: TestService;
  let admin: string;
  let affiliate: string;

  beforeAll(async () => {
    service = await startService({ store });
    const sale = (created_at: string, values = {}) =>
      fileRow({ created_at, publisher_id: 7, ...values });
    await insertRows(service.database, [
      ...AWKWARD.map((subid) => sale('2026-05-05 10:00:00', { subid })),
      sale('2026-05-05 10:00:00', { subid: null }),
      // The first and the last second of a day of 23 hours, and of one of 25.
      ...['2026-03-29 00:00:00', '2026-03-29 23:59:59'].map((date) => sale(date)),
      ...['2026-10-25 00:00:00', '2026-10-25 23:59:59'].map((date) => sale(date)),
      // The first of January 2027 is a Friday, in the last week of 2026.
      ...['2026-12-27 23:59:59', '2026-12-28 00:00:00', '2027-01-03 23:59:59'].map((date) =>
        sale(date),
      ),
      sale('2027-01-04 00:00:00'),
      sale('1970-01-02 12:00:00'),
      // The sum has more digits than a double can hold.
      ...[1, 2, 3].map((at) =>
        sale('2026-06-01 10:00:00', {
          publisher_id: 8,
          remu_program: `99999999999${at}.000001`,
          amount: -0.5,
        }),
      ),
      fileRow({ type: 'clics', total: 9007199254740991, created_at: '2026-06-01 10:00:00' }),
      fileRow({ type: 'clics', total: 9007199254740991, created_at: '2026-06-01 11:00:00' }),
    ]);
    admin = await service.token({});
    affiliate = await service.token({ role: 'affiliate', publisherIds: [7] });
  });

  afterAll(async () => await service.close());

  const ask = async (query: string): Promise<readonly Group[]> => {
    const response = await service.get(summary(query), admin);
    expect(response.status).toBe(200);
    return (await response.json()) as readonly Group[];
  };

  const counts = async (query: string, name: string) =>
    (await ask(query)).map((group) => [group[name], group.count]);

  test('days are in the platform’s time zone, even those of 23 or 25 hours', async () => {
    const spring = 'type=sales&start_date=2026-03-28&end_date=2026-03-30&group_by=day';
    expect(await counts(spring, 'day')).toEqual([['2026-03-29', 2]]);
    const autumn = 'type=sales&start_date=2026-10-24&end_date=2026-10-26&group_by=day';
    expect(await counts(autumn, 'day')).toEqual([['2026-10-25', 2]]);
  });

  test('weeks begin on Monday, across the end of a year and before 1970', async () => {
    const turn = 'type=sales&start_date=2026-12-01&end_date=2027-01-31&group_by=week';
    expect(await counts(turn, 'week')).toEqual([
      ['2026-12-21', 1],
      ['2026-12-28', 2],
      ['2027-01-04', 1],
    ]);
    const first = 'type=sales&start_date=1970-01-01&end_date=1970-01-31&group_by=week';
    expect(await counts(first, 'week')).toEqual([['1969-12-29', 1]]);
  });

  test('months have the form YYYY-MM', async () => {
    const turn = 'type=sales&start_date=2026-12-01&end_date=2027-01-31&group_by=month';
    expect(await counts(turn, 'month')).toEqual([
      ['2026-12', 2],
      ['2027-01', 2],
    ]);
  });

  test('awkward texts are separate groups, in order and unchanged, and none becomes null', async () => {
    const sorted = [...AWKWARD].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const found = await counts(`type=sales&${MAY}&group_by=subid`, 'subid');
    expect(found).toEqual([...sorted, null].map((subid) => [subid, 1]));
  });

  test('sums are exact, however many digits they have', async () => {
    const path = summary('type=sales,clics&start_date=2026-06-01&end_date=2026-06-01');
    const text = await (await service.get(path, admin)).text();
    expect(text).toContain('"count":5,"total":18014398509481982,');
    expect(text).toContain('"remu_program":2999999999976.000003,');
    expect(text).toContain('"amount":-1.5,');
  });

  test('without transactions, there is one record of zeros, or no group', async () => {
    const empty = 'type=leads&start_date=2020-01-01&end_date=2020-01-31';
    const [all, ...others] = await ask(empty);
    expect(others).toEqual([]);
    expect(all).toMatchObject({
      count: 0,
      total: 0,
      remu_program: 0,
      remu_publisher: 0,
      amount: 0,
    });
    expect(await ask(`${empty}&group_by=day`)).toEqual([]);
  });

  test('fields that do not apply to a kind add nothing, whatever is stored', async () => {
    await service.database.engine.execute({
      text: `INSERT INTO transactions
  (type, transaction_id, program_id, publisher_id, support_id, status, total, amount, remu_program, created_at, updated_at)
  SELECT 'leads', 77, 1, 1, 1, 2, 5, 6, 7, toDateTime(1800000000), toDateTime(1800000000)`,
      values: {},
    });
    const sums = { count: 1, total: 0, amount: 0, remu_program: 7 };
    const year = 'start_date=2027-01-05&end_date=2027-12-31';
    expect(await ask(`type=leads&${year}`)).toMatchObject([sums]);
    expect(await ask(`type=leads,sales,clics&${year}`)).toMatchObject([sums]);
  });

  test('a status has its label in the language of the client', async () => {
    const path = summary(`type=sales&${MAY}&group_by=status,day`);
    const token = await service.token({ locale: 'de' });
    const response = await service.get(path, token);
    expect(response.headers.get('content-language')).toBe('de');
    const groups = (await response.json()) as Group[];
    expect(Object.keys(groups[0] ?? {}).slice(0, 4)).toEqual([
      'status',
      'status_label',
      'day',
      'count',
    ]);
    expect(groups[0]).toMatchObject({ status: '2', status_label: 'Ausstehend', day: '2026-05-05' });
  });

  test('the text formats have the same groups', async () => {
    const query = `type=sales&${MAY}&group_by=subid,status`;
    const groups = await ask(query);
    const get = async (more: string) => await service.get(summary(`${query}&${more}`), admin);
    const lines = (await (await get('format=ndjson')).text()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(groups);
    const csv = await get('format=csv');
    expect(csv.headers.get('content-disposition')).toBe(
      'attachment; filename="sales_summary_2026-05-01_2026-05-31.csv"',
    );
    const [header, ...records] = parse(await csv.text(), { recordDelimiter: '\r\n' }) as string[][];
    expect(header).toEqual(Object.keys(groups[0] ?? {}));
    expect(records).toEqual(
      groups.map((group) => Object.values(group).map((v) => String(v ?? ''))),
    );
    const excel = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      await (await get('csv=excel')).arrayBuffer(),
    );
    expect(excel).toMatch(/^\uFEFFsubid;status;status_label;count;/);
    expect(excel).toContain(`"'=1+1";`);
  });

  test('formats that a summary does not have are refused', async () => {
    const accept = { accept: 'application/vnd.apache.parquet' };
    expect((await service.get(summary(`type=sales&${MAY}`), admin, accept)).status).toBe(406);
    expect((await service.get(summary(`type=sales&${MAY}&format=arrow`), admin)).status).toBe(400);
  });

  test('all faults of a query are reported at once', async () => {
    const response = await service.get(
      summary('type=sale&start_date=x&group_by=day,week,month,type&limit=5'),
      admin,
    );
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { parameter: string }[] };
    expect(errors.map(({ parameter }) => parameter).sort()).toEqual(
      ['end_date', 'group_by', 'limit', 'start_date', 'type'].sort(),
    );
  });

  test('nobody sees transactions of others', async () => {
    const may = `type=sales&${MAY}`;
    const status = async (path: string, token?: string) => (await service.get(path, token)).status;
    expect(await status(summary(may))).toBe(401);
    expect(await status(summary(may), affiliate)).toBe(403);
    expect(await status(summary(may, 'affiliate'), admin)).toBe(403);
    expect(await status(summary(`${may}&publisher_id=8`, 'affiliate'), affiliate)).toBe(403);
    const limited = await service.token({ programIds: [1] });
    expect(await status(summary(`${may}&program_id=10`), limited)).toBe(403);
    const june = summary('type=sales&start_date=2026-06-01&end_date=2026-06-30', 'affiliate');
    const [all] = (await (await service.get(june, affiliate)).json()) as Group[];
    expect(all?.count).toBe(0);
  });

  test('a query for one of several websites or programs sums that one only', async () => {
    const june = 'type=sales&start_date=2026-06-01&end_date=2026-06-30';
    expect(await counts(`${june}&publisher_id=8`, 'count')).toEqual([[3, 3]]);
    expect(await counts(`${june}&publisher_id=9`, 'count')).toEqual([[0, 0]]);
    expect(await counts(`${june}&program_id=10`, 'count')).toEqual([[3, 3]]);
  });

  test.each(ROLES)('HEAD of the summary for the %s has the headers of GET', async (role) => {
    const path = summary(`type=sales&${MAY}`, role);
    const authorization = `Bearer ${role === 'admin' ? admin : affiliate}`;
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map(
        async (method) => await fetch(service.url + path, { method, headers: { authorization } }),
      ),
    );
    expect(await head?.text()).toBe('');
    for (const name of ['content-type', 'content-language', 'content-disposition', 'vary']) {
      expect(head?.headers.get(name)).toBe(get?.headers.get(name));
    }
  });
});
