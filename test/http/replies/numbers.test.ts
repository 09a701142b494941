import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STORED_FIELDS } from '../../../src/contract/record/fields.ts';
import { RECORD_FIELDS, ROLES, type Role } from '../../../src/contract/record/records.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { applicableTo, fileRow, ndjson } from '../../support/rows/file-rows.ts';

/** Numbers as written in files, and as rendered in responses. */
const DECIMALS: readonly (readonly [written: string, shown: string])[] = [
  ['0', '0'],
  ['-0', '0'],
  ['0.000000', '0'],
  ['0.000001', '0.000001'],
  ['-0.000001', '-0.000001'],
  ['-1.5', '-1.5'],
  ['0.1', '0.1'],
  ['1.10', '1.1'],
  ['10', '10'],
  ['100.5', '100.5'],
  ['1000000', '1000000'],
  ['123456.789012', '123456.789012'],
  ['999999999999.999999', '999999999999.999999'],
  ['-999999999999.999999', '-999999999999.999999'],
];

const INTEGERS = ['0', '1', '10', '4294967296', '9007199254740991'];

const integerFields = STORED_FIELDS.filter(({ type }) => type === 'integer');
const decimalFields = STORED_FIELDS.filter(({ type }) => type === 'decimal');

let service: TestService;

beforeAll(async () => {
  service = await startService();
  const decimals = DECIMALS.map(([written], at) => ({
    ...fileRow({ transaction_id: 100 + at, created_at: '2026-01-01 12:00:00' }),
    ...Object.fromEntries(decimalFields.map(({ name }) => [name, written])),
  }));
  const integers = INTEGERS.map((text) => ({
    ...fileRow({ created_at: '2026-01-02 12:00:00' }),
    ...applicableTo('sales', Object.fromEntries(integerFields.map(({ name }) => [name, text]))),
  }));
  const counts = INTEGERS.map((total, at) =>
    fileRow({ type: 'clics', transaction_id: 200 + at, total, created_at: '2026-01-03 12:00:00' }),
  );
  await service.importText(ndjson([...decimals, ...integers, ...counts]));
});

afterAll(async () => await service.close());

/** The JSON texts of one numeric field in all records of a day, in order. */
async function shown(role: Role, type: string, day: string, name: string) {
  const publisherIds = [100, ...INTEGERS.map(Number)];
  const token = await service.token({ role: role, publisherIds });
  const path = `/api/${role}/transactions?type=${type}&start_date=${day}&end_date=${day}`;
  const body = await (await service.get(path, token)).text();
  return [...body.matchAll(new RegExp(`[{,]"${name}":([^,}]*)`, 'g'))].map(([, text]) => text);
}

describe.each(ROLES)('the record of the %s', (role) => {
  const fields = RECORD_FIELDS[role];

  test.each(fields.filter(({ field }) => field.type === 'decimal'))(
    'has the decimals of $name as plain numbers without trailing zeros',
    async ({ name }) => {
      const texts = await shown(role, 'sales', '2026-01-01', name);
      expect(texts).toEqual(DECIMALS.map(([, text]) => text));
    },
  );

  test.each(fields.filter(({ field }) => field.type === 'integer' && field.name !== 'total'))(
    'has the integers of $name to the last digit',
    async ({ name }) => {
      expect(await shown(role, 'sales', '2026-01-02', name)).toEqual(INTEGERS);
    },
  );

  test('has the integers of total to the last digit', async () => {
    expect(await shown(role, 'clics', '2026-01-03', 'total')).toEqual(INTEGERS);
  });
});
