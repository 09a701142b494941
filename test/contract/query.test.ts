import { expect, expectTypeOf, test } from 'vitest';
import { Problem } from '../../src/contract/problems/problems.ts';
import { type ListQuery, readListQuery } from '../../src/contract/query/query.ts';
import { faultCodesOf, faultsOf, faultsWith, GOOD, queryString } from './query-faults.ts';

test('a query without identifiers has none', () => {
  expect(readListQuery(queryString(GOOD), 'admin')).toStrictEqual(GOOD);
});

test('identifiers are parsed to numbers', () => {
  const text = queryString({ ...GOOD, program_id: '12', publisher_id: '345' });
  expect(readListQuery(text, 'admin')).toStrictEqual({
    ...GOOD,
    program_id: [12],
    publisher_id: [345],
  });
});

test('the order of the parameters makes no difference', () => {
  const backwards = Object.fromEntries(Object.entries(GOOD).reverse());
  expect(readListQuery(queryString(backwards), 'admin')).toStrictEqual(GOOD);
});

test('percent-encoded names and values are decoded', () => {
  const text = '%74ype=s%61les&start_date=2026%2D01%2D01&end_date=2026-01-31';
  expect(readListQuery(text, 'admin')).toStrictEqual(GOOD);
});

test('a parsed query is frozen', () => {
  expect(Object.isFrozen(readListQuery(queryString(GOOD), 'admin'))).toBe(true);
});

test('the type of a query has its required parameters', () => {
  expectTypeOf<ListQuery['type']>().toEqualTypeOf<
    'impressions' | 'clics' | 'dbclicks' | 'leads' | 'sales'
  >();
  expectTypeOf<ListQuery['start_date']>().toEqualTypeOf<string>();
  expectTypeOf<ListQuery['program_id']>().toEqualTypeOf<readonly number[] | undefined>();
  expectTypeOf<ListQuery['order']>().toEqualTypeOf<'asc' | 'desc' | undefined>();
});

test('all faults are reported at once', () => {
  const text =
    'typ=sales&start_date=2026-02-30&program_id=x&publisher_id=&publisher_id=1&order=asc&order=desc&page=2';
  expect(faultCodesOf(faultsOf(text))).toEqual([
    'typ unknown',
    'page unknown',
    'type missing',
    'start_date invalid',
    'end_date missing',
    'program_id invalid',
    'publisher_id empty',
    'order repeated',
  ]);
});

test('an empty query string is refused with the required parameters and valid examples', () => {
  const faults = faultsOf('');
  expect(faultCodesOf(faults)).toEqual(['type missing', 'start_date missing', 'end_date missing']);
  const examples = faults.map(({ detail }) => /for example (.+)\.$/.exec(detail)?.[1]);
  expect(faultsOf(examples.join('&'))).toEqual([]);
});

test.each([
  ['twice with the same value', 'type=sales'],
  ['with another value', 'type=leads'],
  ['empty', 'type='],
  ['percent-encoded', '%74%79%70%65=sales'],
])('a parameter that occurs twice, %s, is reported as repeated', (_, again) => {
  expect(faultsOf(`${queryString(GOOD)}&${again}`)).toEqual([
    { parameter: 'type', code: 'repeated', detail: 'Must not be repeated.' },
  ]);
});

test.each([
  ['commas', 'publisher_id=3,4&status=0,1'],
  ['repetition', 'publisher_id=3&publisher_id=4&status=0&status=1'],
  ['brackets', 'publisher_id[]=3&publisher_id[]=4&status%5B%5D=0&status%5B%5D=1'],
  ['numbered brackets', 'publisher_id[0]=3&publisher_id[1]=4&status[0]=0&status[1]=1'],
  ['a mixture', 'publisher_id=3&publisher_id[]=4&status=0,1&status=1'],
])('a list is read from %s', (_, lists) => {
  expect(readListQuery(`${queryString(GOOD)}&${lists}`, 'admin')).toStrictEqual({
    ...GOOD,
    publisher_id: [3, 4],
    status: ['0', '1'],
  });
});

test.each([
  ['a comma as a part of it', 'subid=a,b', ['a,b']],
  ['several values', 'subid=a,b&subid=c', ['a,b', 'c']],
  ['brackets', 'subid[]=a,b&subid[1]=c', ['a,b', 'c']],
  ['a value twice', 'subid=c&subid=c', ['c']],
])('a free text is read with %s', (_, given, subid) => {
  expect(readListQuery(`${queryString(GOOD)}&${given}`, 'admin')).toStrictEqual({
    ...GOOD,
    subid,
  });
});

test('one of several free texts is refused if it is too long', () => {
  const given = `subid=a&subid=${'x'.repeat(1001)}`;
  expect(faultCodesOf(faultsOf(`${queryString(GOOD)}&${given}`))).toEqual(['subid invalid']);
});

test('an exclusion accepts the same values as its filter', () => {
  const given = 'exclude_country=fr,BE,FR&exclude_subid=a,b&exclude_subid=c&exclude_program_id=3';
  expect(readListQuery(`${queryString(GOOD)}&${given}`, 'admin')).toStrictEqual({
    ...GOOD,
    exclude_country: ['FR', 'BE'],
    exclude_subid: ['a,b', 'c'],
    exclude_program_id: [3],
  });
  expect(faultCodesOf(faultsWith({ exclude_status: '3', exclude_country: '' }))).toEqual([
    'exclude_status invalid',
    'exclude_country empty',
  ]);
});

test('an affiliate has no filter by a field that only administrators read', () => {
  for (const name of ['orderid', 'exclude_orderid']) {
    const text = `${queryString(GOOD)}&${name}=1`;
    expect(readListQuery(text, 'admin')).toMatchObject({ [name]: [1] });
    expect(() => readListQuery(text, 'affiliate')).toThrow(Problem);
    const packed = `${queryString(GOOD)}&id_lists=${name}.B`;
    expect(readListQuery(packed, 'admin')).toMatchObject({ [name]: [1] });
    expect(() => readListQuery(packed, 'affiliate')).toThrow(Problem);
  }
});

test('the parameter fields can be repeated too, but each field only once', () => {
  const fields = 'fields=transaction_id&fields[]=status';
  expect(readListQuery(`${queryString(GOOD)}&${fields}`, 'admin').fields).toEqual([
    'transaction_id',
    'status',
  ]);
  const [fault] = faultsOf(`${queryString(GOOD)}&${fields}&fields=status`);
  expect(fault?.detail).toBe('Must contain "status" only once.');
});

test.each([
  ['pending', '2'],
  ['Validé', '1'],
  ['Abgelehnt', '0'],
  ['approved', '1'],
  ['declined', '0'],
])('for the word %s, the status %s is suggested', (word, status) => {
  const [fault] = faultsWith({ status: word });
  expect(fault?.detail).toContain('(0 refused, 1 validated, 2 pending)');
  expect(fault?.detail).toContain(`Did you mean "${status}"?`);
});

test.each([
  ['status', '0,x,1,y'],
  ['publisher_id', '1,x,3,-4'],
  ['country', 'FR,France,BE,1'],
])('all wrong values of the list %s are named', (name, text) => {
  expect(faultsWith({ [name]: text })[0]?.detail).toContain('Items 2, 4 are not ');
});

test.each([
  ['status', 'pending,refused', 'Did you mean "2,0"?'],
  ['status', '1,pending', 'Did you mean "1,2"?'],
  ['status', 'pending,nonsense', 'Did you mean "2"?'],
  ['status', '1;2', 'Did you mean "1,2"?'],
  ['status', '[1,2]', 'Did you mean "1,2"?'],
  ['publisher_id', '12 | 13', 'Did you mean "12,13"?'],
  ['type', 'sales,leads', 'Give one. Send a request for each value.'],
  ['format', 'xlsx', 'use format=csv&csv=excel'],
  ['format', 'jsonl', 'Did you mean "ndjson"?'],
])('for %s=%s, the detail says %s', (name, text, hint) => {
  expect(faultsWith({ [name]: text })[0]?.detail).toContain(hint);
});

test('for an unknown code, no status is suggested', () => {
  expect(faultsWith({ status: '9' })[0]?.detail).not.toContain('Did you mean');
});

test.each(['', '='])(
  'an optional parameter without a value (program_id%s) is reported as empty',
  (equals) => {
    expect(faultCodesOf(faultsOf(`${queryString(GOOD)}&program_id${equals}`))).toEqual([
      'program_id empty',
    ]);
  },
);

test('a required parameter without a value is reported as empty, and not as missing too', () => {
  expect(faultCodesOf(faultsWith({ type: '' }))).toEqual(['type empty']);
});

test.each([
  ...['Type', 'TYPE', 'type ', ' type', 'type[]', '?type', ''],
  ...['__proto__', 'constructor', '__proto__[]', 'constructor[]', 'toString[0]'],
])('a parameter named %j is unknown', (name) => {
  expect(faultCodesOf(faultsWith({ [name]: 'sales' }))).toEqual([`${name} unknown`]);
});

test('a second question mark is part of the first name', () => {
  expect(faultCodesOf(faultsOf(`?${queryString(GOOD)}`))).toEqual([
    '?type unknown',
    'type missing',
  ]);
});

test('an unknown parameter that occurs many times is reported once', () => {
  expect(faultCodesOf(faultsOf(`${queryString(GOOD)}&page=1&page=2&page=3`))).toEqual([
    'page unknown',
  ]);
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
])('the order of the dates is not checked if %s is invalid', (name, changed) => {
  expect(faultCodesOf(faultsWith(changed))).toEqual([`${name} invalid`]);
});
