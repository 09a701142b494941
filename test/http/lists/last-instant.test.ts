import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DATE_FIELDS } from '../../../src/contract/query/parameters.ts';
import { startImports, type TestImports } from '../../support/databases/imports.ts';
import { csv } from '../../support/rows/csv.ts';
import { fileRow } from '../../support/rows/file-rows.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const paidAt = (date: string) =>
  fileRow({ status: 1, created_at: date, validation_date: date, updated_at: date });

const FIRST = fileRow({ transaction_id: 7, created_at: '1970-01-01T00:00:00Z' });

const NEW_YORK = 'America/New_York';

const ZONES: readonly (readonly [string, string])[] = [
  [NEW_YORK, '2106-02-07 01:28'],
  ['UTC', '2106-02-07 06:28'],
];

describe.each(fullOrShort(ZONES, ZONES.slice(0, 1)))('in %s', (timeZone, minute) => {
  let imports: TestImports;
  let token: string;

  beforeAll(async () => {
    imports = await startImports({ timeZone });
    token = await imports.service.token({});
    const last = [`${minute}:14`, '2106-02-07T06:28:14Z'].map(paidAt);
    expect(await imports.importAll([csv([FIRST]), csv(last)])).toMatchObject({ imported: 3 });
  });

  afterAll(async () => await imports.close());

  const get = async (path: string) => {
    const response = await imports.service.get(`/api/admin/transactions${path}`, token);
    return await response.json();
  };

  test.runIf(timeZone === NEW_YORK)(
    'a transaction of the first instant is on a day of 1969, also in summaries, and found by its identifier',
    async () => {
      expect(await get('/sales/7')).toMatchObject({ created_at: '1969-12-31 19:00:00' });
      const period = 'type=sales&start_date=1969-12-31&end_date=1970-01-01';
      expect(await get(`/summary?${period}&group_by=day,week,month`)).toMatchObject([
        { day: '1969-12-31', week: '1969-12-29', month: '1969-12', count: 1 },
      ]);
    },
  );

  test('every row that is imported at the end of the calendar is listed by each of its dates, and later ones are refused', async () => {
    for (const field of DATE_FIELDS) {
      const period = `start_date=2106-02-07&end_date=2106-02-07&date_field=${field}`;
      const last = { [field]: `${minute}:14` };
      expect(await get(`?type=sales&${period}`)).toMatchObject([last, last]);
    }
    const late = [`${minute}:15`, '2106-02-07T06:28:15Z'];
    const { faults } = await imports.importAll(late.map((date) => csv([paidAt(date)])));
    const refused = late.flatMap((_, at) =>
      DATE_FIELDS.toSorted().map((column) => [`file ${at + 1}`, column, 'not_a_date']),
    );
    expect(faults.map(({ file, column, reason }) => [file, column, reason]).sort()).toEqual(
      refused,
    );
  });
});
