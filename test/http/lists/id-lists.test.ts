import { expect, test } from 'vitest';
import {
  ID_LIST_NAMES,
  type IdLists,
  packLists,
  sorted,
  unpackLists,
} from '../../../src/contract/id-lists.ts';
import { MAX_URL_LENGTH } from '../../../src/contract/problems/problems.ts';
import { readListQuery } from '../../../src/contract/query/query.ts';
import { isIdentifier } from '../../../src/contract/record/identifier.ts';
import { faultsWith, GOOD, queryString } from '../../contract/query-faults.ts';
import { fc, runCount } from '../../support/run/properties.ts';

const identifier = fc.oneof(
  fc.nat(40),
  fc.nat(),
  fc.maxSafeNat(),
  fc.constantFrom(31, 32, 1023, 1024, Number.MAX_SAFE_INTEGER),
);
const list = fc.uniqueArray(identifier, { minLength: 1, maxLength: 50 });

const LISTS = fc.record(
  {
    program_id: list,
    publisher_id: list,
    transaction_id: list,
    orderid: list,
    exclude_program_id: list,
  },
  { requiredKeys: ['publisher_id'] },
);

const sortedLists = (lists: IdLists): IdLists =>
  Object.fromEntries(
    ID_LIST_NAMES.flatMap((name) => (lists[name] ? [[name, sorted(lists[name])]] : [])),
  );

test('packed lists are unpacked with the same values, sorted', () => {
  fc.assert(
    fc.property(LISTS, (lists) => {
      expect(unpackLists(packLists(lists))).toEqual(sortedLists(lists));
    }),
    { numRuns: runCount(1000) },
  );
});

test('a query with packed lists equals the query with the lists themselves', () => {
  fc.assert(
    fc.property(LISTS, (lists) => {
      const texts = Object.entries(lists).map(([name, values]) => [name, String(values)]);
      const [packed, plain] = [{ id_lists: packLists(lists) }, Object.fromEntries(texts)];
      const read = (more: Readonly<Record<string, string>>) =>
        readListQuery(queryString({ ...GOOD, ...more }), 'admin');
      expect(read(packed)).toEqual({ ...read(plain), ...sortedLists(lists) });
      // A client may also send the plain lists next to the packed ones, in any order.
      expect(read({ ...packed, ...plain })).toEqual(read(packed));
    }),
    { numRuns: runCount(200) },
  );
});

test('500 identifiers of 7 digits take less than 3.5 characters each', () => {
  const ids = fc.uniqueArray(fc.nat(9_999_999), { minLength: 500, maxLength: 500 });
  fc.assert(
    fc.property(ids, (values) => {
      expect(packLists({ publisher_id: values }).length).toBeLessThan(500 * 3.5);
    }),
    { numRuns: 20 },
  );
});

test.each([
  ['an unknown name', 'status.B'],
  ['a name twice', 'program_id.B~program_id.C'],
  ['no values', 'program_id.'],
  ['a number without its last digit', 'program_id.g'],
  ['a number above the greatest identifier', 'program_id.__________f'],
  ['a sum above the greatest identifier', `${packLists({ program_id: [2 ** 53 - 1] })}B`],
  ['another character', 'program_id.B!'],
  ['nothing after the separator', 'program_id.B~'],
])('packed lists with %s are refused', (_, text) => {
  expect(unpackLists(text)).toBeUndefined();
  expect(faultsWith({ id_lists: text })).toMatchObject([
    { parameter: 'id_lists', code: 'invalid' },
  ]);
});

test('any text is unpacked to identifiers, or refused', () => {
  const letters = fc.constantFrom(...'AfgZ_-.~09', 'program_id.', '~publisher_id.');
  const text = fc.array(letters, { maxLength: 30 }).map((all) => `program_id.${all.join('')}`);
  fc.assert(
    fc.property(text, (given) => {
      const values = Object.values(unpackLists(given) ?? {}).flat();
      expect(values.every(isIdentifier)).toBe(true);
    }),
    { numRuns: runCount(1000) },
  );
});

test('a list that differs from its packed one is refused', () => {
  const packed = packLists({ publisher_id: [1, 2] });
  for (const given of ['1', '1,2,3', '1,3']) {
    expect(faultsWith({ id_lists: packed, publisher_id: given })).toEqual([
      {
        parameter: 'id_lists',
        code: 'invalid',
        detail: 'Has other values than publisher_id. Omit one of the two parameters.',
      },
    ]);
  }
});

test('packed lists that are longer than a URL when they are unpacked are refused', () => {
  const many = Array.from({ length: 2000 }, (_, at) => 1e15 + at);
  expect(packLists({ transaction_id: many }).length).toBeLessThan(MAX_URL_LENGTH / 2);
  expect(faultsWith({ id_lists: packLists({ transaction_id: many }) })).toMatchObject([
    { parameter: 'id_lists', code: 'invalid', detail: expect.stringContaining('unpacked') },
  ]);
});
