import { expect, expectTypeOf, test } from 'vitest';
import { type ReportQuery, readReportQuery } from '../../src/contract/query/query.ts';
import { faultsOf, faultsWith, GOOD, inShort, queryString } from './query-faults.ts';

test('a query without identifiers has none', () => {
  expect(readReportQuery(queryString(GOOD), 'admin')).toStrictEqual(GOOD);
});

test('identifiers are read as numbers', () => {
  const text = queryString({ ...GOOD, program_id: '12', publisher_id: '345' });
  expect(readReportQuery(text, 'admin')).toStrictEqual({
    ...GOOD,
    program_id: [12],
    publisher_id: [345],
  });
});

test('the order of the parameters makes no difference', () => {
  const backwards = Object.fromEntries(Object.entries(GOOD).reverse());
  expect(readReportQuery(queryString(backwards), 'admin')).toStrictEqual(GOOD);
});

test('percent-encoded names and values are read as what they stand for', () => {
  const text = '%74ype=s%61les&start_date=2026%2D01%2D01&end_date=2026-01-31';
  expect(readReportQuery(text, 'admin')).toStrictEqual(GOOD);
});

test('nobody can change a query that was read', () => {
  expect(Object.isFrozen(readReportQuery(queryString(GOOD), 'admin'))).toBe(true);
});

test('the type of a query says what is always there', () => {
  expectTypeOf<ReportQuery['type']>().toEqualTypeOf<
    'impressions' | 'clics' | 'dbclicks' | 'leads' | 'sales'
  >();
  expectTypeOf<ReportQuery['start_date']>().toEqualTypeOf<string>();
  expectTypeOf<ReportQuery['program_id']>().toEqualTypeOf<readonly number[] | undefined>();
  expectTypeOf<ReportQuery['order']>().toEqualTypeOf<'asc' | 'desc' | undefined>();
});

test('all faults are told at once', () => {
  const text = 'typ=sales&start_date=2026-02-30&program_id=x&publisher_id=&publisher_id=1&page=2';
  expect(inShort(faultsOf(text))).toEqual([
    'typ unknown',
    'page unknown',
    'type missing',
    'start_date invalid',
    'end_date missing',
    'program_id invalid',
    'publisher_id repeated',
  ]);
});

test('a query without anything is told what it needs, with examples that are accepted', () => {
  const faults = faultsOf('');
  expect(inShort(faults)).toEqual(['type missing', 'start_date missing', 'end_date missing']);
  const examples = faults.map(({ detail }) => /for example (.+)\.$/.exec(detail)?.[1]);
  expect(faultsOf(examples.join('&'))).toEqual([]);
});

test.each([
  ['twice with the same value', 'type=sales'],
  ['with another value', 'type=leads'],
  ['empty', 'type='],
  ['percent-encoded', '%74%79%70%65=sales'],
])('a parameter that comes again, %s, is repeated', (_, again) => {
  expect(faultsOf(`${queryString(GOOD)}&${again}`)).toEqual([
    { parameter: 'type', code: 'repeated', detail: 'Must not be repeated.' },
  ]);
});

test.each(['', '='])('an optional parameter without a value (program_id%s) is empty', (equals) => {
  expect(inShort(faultsOf(`${queryString(GOOD)}&program_id${equals}`))).toEqual([
    'program_id empty',
  ]);
});

test('a required parameter without a value is empty, and not missing as well', () => {
  expect(inShort(faultsWith({ type: '' }))).toEqual(['type empty']);
});

test.each(['Type', 'TYPE', 'type ', ' type', 'type[]', '?type', '__proto__', 'constructor', ''])(
  'a parameter named %j is unknown',
  (name) => {
    expect(inShort(faultsWith({ [name]: 'sales' }))).toEqual([`${name} unknown`]);
  },
);

test('a question mark too many is part of the first name', () => {
  expect(inShort(faultsOf(`?${queryString(GOOD)}`))).toEqual(['?type unknown', 'type missing']);
});

test('an unknown parameter that comes many times is told once', () => {
  expect(inShort(faultsOf(`${queryString(GOOD)}&page=1&page=2&page=3`))).toEqual(['page unknown']);
});

test('a period that ends before it starts is refused', () => {
  expect(faultsWith({ start_date: '2026-02-01' })).toEqual([
    { parameter: 'end_date', code: 'invalid', detail: 'Must not be before start_date.' },
  ]);
});

test('a period of one day is accepted', () => {
  expect(faultsWith({ start_date: '2026-01-31' })).toEqual([]);
});

test.each([
  ['start_date', { start_date: '2026-13-01' }],
  ['end_date', { end_date: '0000-00-00' }],
])('the order of the dates is not judged when %s is no date', (name, changed) => {
  expect(inShort(faultsWith(changed))).toEqual([`${name} invalid`]);
});
