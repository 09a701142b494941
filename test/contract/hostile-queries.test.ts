import { expect, test } from 'vitest';
import { LIST_PARAMETER_NAMES } from '../../src/contract/query/parameters.ts';
import { readListQuery } from '../../src/contract/query/query.ts';
import { isKind } from '../../src/contract/record/kinds.ts';
import { fc, runCount } from '../support/run/properties.ts';
import { withinMs } from '../support/run/test-extent.ts';
import { faultsOf, GOOD, queryString } from './query-faults.ts';

const nonsense = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom(...'%&=+;?#[]0aF\u0000\ud800é'), { maxLength: 40 })
    .map((all) => all.join('')),
  fc.constantFrom('%', '%%', '%zz', '%ff', '%c3%28', '%00', '&&&', '===', '%ud800', '%e0%80%af'),
);

test('a random query string is refused with its faults', () => {
  fc.assert(
    fc.property(nonsense, (text) => {
      // Any error other than a Problem fails the test.
      expect(faultsOf(text).length).toBeGreaterThan(0);
    }),
    { numRuns: runCount(1000) },
  );
});

/** A value as text in a query string. */
const written = (value: unknown): string =>
  Array.isArray(value) ? value.join(',') : String(value);

/** The value after parsing: countries in upper case, lists without duplicates. */
const inOneCase = (parameter: string, given: string | null): string => {
  const items = (parameter === 'country' ? given?.toUpperCase() : given)?.split(',') ?? [];
  const isList = parameter.endsWith('_id') || ['country', 'status'].includes(parameter);
  return (isList ? [...new Set(items)] : items).join(',');
};

test('any value of a parameter is refused, or parsed without a change', () => {
  // `id_lists` is left out: it is parsed to other parameters, the lists that it packs.
  const name = fc.constantFrom(...LIST_PARAMETER_NAMES.filter((one) => one !== 'id_lists'));
  fc.assert(
    fc.property(name, nonsense, (parameter, value) => {
      const rest = Object.entries(GOOD).filter(([known]) => known !== parameter);
      const text = `${queryString(Object.fromEntries(rest))}&${parameter}=${value}`;
      if (faultsOf(text).length > 0) return;
      const given = new URLSearchParams(text).get(parameter);
      expect(written(readListQuery(text, 'admin')[parameter])).toBe(inOneCase(parameter, given));
    }),
    { numRuns: runCount(1000) },
  );
});

const likely = fc.record(
  {
    type: fc.constantFrom('sales', 'leads', 'sale', ''),
    start_date: fc.constantFrom('2026-01-01', '2026-02-30', '9999-12-31'),
    end_date: fc.constantFrom('2026-01-01', '2026-03-01', 'x'),
    program_id: fc.constantFrom('1', '01', '9007199254740991'),
    publisher_id: fc.constantFrom('0', '-1'),
  },
  { requiredKeys: [] },
);

test('a parsed query is always valid', () => {
  fc.assert(
    fc.property(likely, (parameters) => {
      const text = new URLSearchParams(parameters).toString();
      if (faultsOf(text).length > 0) return;
      const query = readListQuery(text, 'admin');
      expect(isKind(query.type)).toBe(true);
      expect(query.start_date <= query.end_date).toBe(true);
      expect((query.program_id ?? []).every(Number.isSafeInteger)).toBe(true);
    }),
    { numRuns: runCount(500) },
  );
});

test('the texts of every fault are well-formed Unicode, so they can be sent', () => {
  fc.assert(
    fc.property(nonsense, (text) => {
      for (const { parameter, detail } of faultsOf(text)) {
        expect(parameter.isWellFormed() && detail.isWellFormed()).toBe(true);
      }
    }),
  );
});

test('a long query string of nonsense is refused quickly', () => {
  const before = performance.now();
  expect(faultsOf(`${'x'.repeat(100_000)}=1`)).toHaveLength(4);
  expect(performance.now() - before).toBeLessThan(withinMs(1000));
});
