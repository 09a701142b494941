import { expect, onTestFinished, test } from 'vitest';
import { DATE_FIELDS } from '../../../src/contract/query/parameters.ts';
import { startImports } from '../../support/databases/imports.ts';
import { csv } from '../../support/rows/csv.ts';
import { fileRow } from '../../support/rows/file-rows.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const paidAt = (date: string) =>
  fileRow({ status: 1, created_at: date, validation_date: date, updated_at: date });

const ZONES: readonly (readonly [string, string])[] = [
  ['America/New_York', '2106-02-07 01:28'],
  ['UTC', '2106-02-07 06:28'],
];

test('west of Greenwich, a transaction of the first instant is on a day of 1969, also in summaries, and found by its identifier', async () => {
  const imports = await startImports({ timeZone: 'America/New_York' });
  onTestFinished(async () => await imports.close());
  const first = fileRow({ transaction_id: 7, created_at: '1970-01-01T00:00:00Z' });
  expect(await imports.importAll([csv([first])])).toMatchObject({ imported: 1 });
  const token = await imports.service.token({});
  const get = async (path: string) => {
    const response = await imports.service.get(`/api/admin/transactions${path}`, token);
    return await response.json();
  };
  expect(await get('/sales/7')).toMatchObject({ created_at: '1969-12-31 19:00:00' });
  const period = 'type=sales&start_date=1969-12-31&end_date=1970-01-01';
  expect(await get(`/summary?${period}&group_by=day,week,month`)).toMatchObject([
    { day: '1969-12-31', week: '1969-12-29', month: '1969-12', count: 1 },
  ]);
});

test.each(fullOrShort(ZONES, ZONES.slice(0, 1)))(
  'in %s, every row that is imported at the end of the calendar is listed by each of its dates, and later ones are refused',
  async (timeZone, minute) => {
    const imports = await startImports({ timeZone });
    onTestFinished(async () => await imports.close());
    const dates = [`${minute}:14`, '2106-02-07T06:28:14Z'];
    expect(await imports.importAll([csv(dates.map(paidAt))])).toMatchObject({ imported: 2 });
    const token = await imports.service.token({});
    for (const field of DATE_FIELDS) {
      const period = `start_date=2106-02-07&end_date=2106-02-07&date_field=${field}`;
      const path = `/api/admin/transactions?type=sales&${period}`;
      const rows = await (await imports.service.get(path, token)).json();
      const last = { [field]: `${minute}:14` };
      expect(rows).toMatchObject([last, last]);
    }
    for (const date of [`${minute}:15`, '2106-02-07T06:28:15Z']) {
      const { faults } = await imports.importAll([csv([paidAt(date)])]);
      const refused = DATE_FIELDS.toSorted().map((column) => [column, 'not_a_date']);
      expect(faults.map(({ column, reason }) => [column, reason]).sort()).toEqual(refused);
    }
  },
);
