import { expect, test } from 'vitest';
import { readListQuery } from '../../src/contract/query/query.ts';
import { KINDS } from '../../src/contract/record/kinds.ts';
import { fc } from '../support/run/properties.ts';
import { faultCodesOf, faultsWith, GOOD, queryString } from './query-faults.ts';

const IDENTIFIERS = ['program_id', 'publisher_id'] as const;
const DATES = ['start_date', 'end_date'] as const;

const WRONG_DATES = [
  '2026-02-30',
  '2026-02-29',
  '2026-2-3',
  '2026-00-10',
  '2026-13-01',
  '2026-01-00',
  '2026-01-32',
  '0000-00-00',
  '20260101',
  '2026/01/01',
  '01-01-2026',
  '26-01-01',
  '2026-001',
  '2026-W01-1',
  '+002026-01-01',
  '-2026-01-01',
  '2026-01-01T00:00:00Z',
  '2026-01-01 00:00:00',
  '2026-01-01\n',
  ' 2026-01-01',
  '２０２６-01-01',
  '2026‐01‐01',
  'today',
];

test.each(WRONG_DATES)('%j is not a date', (text) => {
  for (const name of DATES) {
    const detail = 'Must be a valid date in the format YYYY-MM-DD.';
    expect(faultsWith({ [name]: text })).toEqual([{ parameter: name, code: 'invalid', detail }]);
  }
});

test.each(['2024-02-29', '2000-02-29', '1969-12-31', '0001-01-01', '9999-12-31'])(
  '%s is a date',
  (day) => {
    expect(faultsWith({ start_date: day, end_date: day })).toEqual([]);
  },
);

test('February has the days of its year', () => {
  expect(faultCodesOf(faultsWith({ start_date: '1900-02-29' }))).toEqual(['start_date invalid']);
});

const WRONG_IDENTIFIERS = [
  '01',
  '00',
  '-1',
  '-0',
  '+1',
  '1.5',
  '1.0',
  '1e3',
  '0x10',
  '1_000',
  ' 1',
  '1 ',
  '1\n',
  '１２',
  '٣',
  '9007199254740992',
  '9007199254740993',
  '99999999999999999999',
  'NaN',
  'Infinity',
  'null',
];

test.each(WRONG_IDENTIFIERS)('%j is not an identifier', (text) => {
  for (const name of IDENTIFIERS) {
    const detail =
      'Must be one or more identifiers, separated by commas: digits without leading zeros, each at most 9007199254740991.';
    expect(faultsWith({ [name]: text })).toEqual([{ parameter: name, code: 'invalid', detail }]);
  }
});

test('every whole number that JSON represents exactly is an identifier', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (id) => {
      const text = queryString({ ...GOOD, program_id: `${id}`, publisher_id: `${id}` });
      expect(readListQuery(text, 'admin')).toMatchObject({
        program_id: [id],
        publisher_id: [id],
      });
    }),
    { examples: [[0], [Number.MAX_SAFE_INTEGER]] },
  );
});

test.each(KINDS)('%s is a valid type', (type) => {
  expect(readListQuery(queryString({ ...GOOD, type }), 'admin').type).toBe(type);
});

test.each([
  ['sale', 'sales'],
  ['Sales', 'sales'],
  ['click', 'clics'],
  ['clicks', 'clics'],
  ['dbclics', 'dbclicks'],
  ['lead', 'leads'],
  ['impression', 'impressions'],
])('the type %s is refused with the five types, and %s is suggested', (text, suggested) => {
  const known = '"impressions", "clics", "dbclicks", "leads", "sales"';
  const detail = `Must be one of ${known}. Did you mean "${suggested}"?`;
  expect(faultsWith({ type: text })).toEqual([{ parameter: 'type', code: 'invalid', detail }]);
});

test.each(['conversions', 'sales,leads', '*', '0', 'sales-and-more'])(
  'for the type %s nothing is suggested',
  (type) => {
    const [fault] = faultsWith({ type });
    expect(fault?.detail).toMatch(/^Must be one of [^?]+\.$/);
  },
);
