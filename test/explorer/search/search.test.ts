import { describe, expect, test } from 'vitest';
import { DEFAULT_VIEW } from '../../../explorer/src/query/view.ts';
import { changeFor, hitsOf, keyOfHit } from '../../../explorer/src/search/hits.ts';
import {
  isNameLookup,
  LOOKUPS,
  lookupQuery,
  lookupsOf,
  periodParametersOf,
  valueLookups,
} from '../../../explorer/src/search/lookups.ts';
import { DIRECTORY_PARAMETERS } from '../../../src/contract/query/directory-parameters.ts';
import { SUMMARY_PARAMETERS } from '../../../src/contract/query/parameters.ts';

const PERIOD = { start_date: '2026-01-01', end_date: '2026-01-31' };

describe('a text of the search box', () => {
  test.each([
    ['', []],
    ['1', ['transaction_id', 'orderid', 'clickid', 'subid']],
    ['1001', ['transaction_id', 'orderid', 'clickid', 'subid', 'program_id', 'publisher_id']],
    ['0012', ['clickid', 'subid', 'program_id', 'publisher_id']],
    ['savon', ['clickid', 'subid', 'program_id', 'publisher_id']],
    ['x'.repeat(1001), []],
  ])('"%s" is looked up as %j', (text, lookups) => {
    expect(lookupsOf(text, 'admin')).toEqual(lookups);
  });

  test('is looked up as an order only for administrators', () => {
    const ofOthers = lookupsOf('1001', 'admin').filter((lookup) => lookup !== 'orderid');
    expect(lookupsOf('1001', 'affiliate')).toEqual(ofOthers);
    expect(valueLookups('admin')).toEqual(['orderid', 'clickid', 'subid']);
    expect(valueLookups('affiliate')).toEqual(['clickid', 'subid']);
  });

  test('is sent to parameters of the API with valid values', () => {
    for (const lookup of LOOKUPS) {
      const parameters = isNameLookup(lookup) ? DIRECTORY_PARAMETERS : SUMMARY_PARAMETERS;
      for (const [name, text] of Object.entries(lookupQuery(lookup, '1001', PERIOD))) {
        const parameter = Object.entries(parameters).find(([known]) => known === name)?.[1];
        expect(() => parameter?.read(text, 'admin'), `${lookup} ${name}`).not.toThrow();
        expect(parameter, `${lookup} ${name}`).toBeDefined();
      }
    }
  });

  test('is searched in the period of the page, except as a transaction', () => {
    const asked = { type: 'sales', ...PERIOD, date_field: 'updated_at', country: 'FR' };
    const period = periodParametersOf(asked);
    expect(period).toEqual({ ...PERIOD, date_field: 'updated_at' });
    expect(lookupQuery('subid', 'a', period)).toMatchObject(period);
    expect(lookupQuery('transaction_id', '1', period)).not.toMatchObject(PERIOD);
  });
});

describe('a hit', () => {
  const view = { ...DEFAULT_VIEW, filters: { country: 'FR', status: '1' } };

  test('of a transaction opens it as its own kind', () => {
    const rows = [{ type: 'leads', status: '0', day: '2026-01-02', count: 1 }];
    const [hit] = hitsOf('transaction_id', '12', rows);
    expect(hit).toEqual({
      lookup: 'transaction_id',
      kind: 'leads',
      value: '12',
      status: 0,
      day: '2026-01-02',
    });
    expect(hit && changeFor(hit, view)).toEqual({ kind: 'leads', row: '12' });
  });

  test('of a click lists all its transactions of one kind, the most frequent kind first', () => {
    const rows = [
      { type: 'clics', count: 1 },
      { type: 'sales', count: 3 },
      { type: 'visits', count: 9 },
    ];
    const hits = hitsOf('clickid', 'c0', rows);
    expect(hits.map((hit) => 'kind' in hit && hit.kind)).toEqual(['sales', 'clics']);
    expect(hits[0] && changeFor(hits[0], view)).toEqual({
      kind: 'sales',
      filters: { clickid: 'c0' },
    });
    expect(new Set(hits.map(keyOfHit)).size).toBe(2);
  });

  test('of an order lists it', () => {
    const [hit] = hitsOf('orderid', '90210', [{ type: 'sales', count: 1 }]);
    expect(hit && changeFor(hit, view)).toEqual({ kind: 'sales', filters: { orderid: '90210' } });
  });

  test('of a program replaces the filters by programs; entries without a name give no hit', () => {
    const rows = [
      { program_id: 7, name: 'Savon' },
      { program_id: 8, name: null },
    ];
    const hits = hitsOf('program_id', 'sav', rows);
    expect(hits).toEqual([{ lookup: 'program_id', value: '7', name: 'Savon' }]);
    expect(hits[0] && changeFor(hits[0], view)).toEqual({
      filters: { country: 'FR', status: '1', program_id: '7' },
    });
    const narrowed = { filters: { country: 'FR', program_id: '1,2', exclude_program_id: '7' } };
    expect(hits[0] && changeFor(hits[0], narrowed)).toEqual({
      filters: { country: 'FR', program_id: '7' },
    });
  });
});
