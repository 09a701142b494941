import { expect, onTestFinished, test, vi } from 'vitest';
import { CHANGES_PARAMETERS } from '../../src/contract/query/changes-parameters.ts';
import { hintForUnknown } from '../../src/contract/query/parameter-hints.ts';
import { LIST_PARAMETER_NAMES, SUMMARY_PARAMETERS } from '../../src/contract/query/parameters.ts';
import { readPerformanceQuery } from '../../src/contract/query/query.ts';
import { nearestName } from '../../src/contract/query/suggestion.ts';
import type { Role } from '../../src/contract/record/records.ts';
import { fc } from '../support/run/properties.ts';
import { faultsOf, GOOD, queryString } from './query-faults.ts';

const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz_');

const mistyped = fc
  .record({ name: fc.constantFrom(...LIST_PARAMETER_NAMES), place: fc.nat(), letter })
  .map(({ name, place, letter }) => {
    const at = place % name.length;
    return { name, text: name.slice(0, at) + letter + name.slice(at + 1) };
  })
  .filter(({ name, text }) => name !== text);

const toldFor = (name: string, role: Role = 'admin') =>
  faultsOf(`${queryString(GOOD)}&${name}=1`, role).find(({ code }) => code === 'unknown')?.detail;

test('a parameter with one letter changed is refused, and the right name is suggested', () => {
  fc.assert(
    fc.property(mistyped, ({ name, text }) => {
      expect(toldFor(text)).toBe(`Unknown parameter. Did you mean "${name}"?`);
    }),
  );
});

test('a parameter with a missing letter is refused, and the right name is suggested', () => {
  for (const name of LIST_PARAMETER_NAMES) {
    for (let at = 0; at < name.length; at += 1) {
      expect(nearestName(name.slice(0, at) + name.slice(at + 1), LIST_PARAMETER_NAMES)).toBe(name);
    }
  }
});

test.each([
  ['startDate', 'start_date'],
  ['start-date', 'start_date'],
  ['str-dte', 'start_date'],
  ['END_DATE', 'end_date'],
  [' type', 'type'],
  ['programid', 'program_id'],
  ['publisherId', 'publisher_id'],
])('for %j, %s is suggested', (wrong, right) => {
  expect(nearestName(wrong, LIST_PARAMETER_NAMES)).toBe(right);
});

test.each(['x', '', '__proto__', 'constructor'])('for %j nothing is suggested', (name) => {
  expect(toldFor(name)).toBe('Unknown parameter.');
});

test.each([
  ['from', 'Did you mean "start_date"?'],
  ['To', 'Did you mean "end_date"?'],
  ['website-id', 'Did you mean "publisher_id"?'],
  ['sort_by', 'Did you mean "sort"?'],
  ['per_page', 'Did you mean "limit"?'],
  ['page', 'Set limit to get pages'],
  ['skip', 'rel="next"'],
  ['locale', 'Accept-Language'],
  ['lang', 'Accept-Language'],
  ['access_token', 'Authorization: Bearer <ACCESS_TOKEN>'],
  ['order_by', 'Did you mean "sort"?'],
  ['select', 'Did you mean "fields"?'],
  ['group_by', '…/transactions/summary'],
  ['updated_since', '…/transactions/changes'],
])('for %j of other APIs, the detail says %s', (name, hint) => {
  expect(toldFor(name)).toContain(hint);
});

test.each([
  ['orderid', 'orderid'],
  ['order_id', 'orderid'],
  ['ordreid', 'orderid'],
  ['not_orderid', 'exclude_orderid'],
  ['exclude_order_id', 'exclude_orderid'],
])('an affiliate who sends %s learns that only administrators have %s', (name, meant) => {
  const detail = `Unknown parameter. Only administrators have "${meant}".`;
  expect(toldFor(name, 'affiliate')).toBe(detail);
});

test('administrators are not said to have a parameter that they lack as well', () => {
  expect(() => readPerformanceQuery('orderid=1', 'affiliate')).toThrow(
    expect.objectContaining({
      faults: expect.arrayContaining([
        { parameter: 'orderid', code: 'unknown', detail: 'Unknown parameter.' },
      ]),
    }),
  );
});

test.each([
  'country!',
  '-country',
  'not_country',
  'not[country]',
  'country_not',
  'country[ne]',
  'country.nin',
  'country__not_in',
])('exclude_country is suggested for %j, which excludes values in other APIs', (name) => {
  expect(toldFor(name)).toBe('Unknown parameter. Did you mean "exclude_country"?');
});

test('an exclusion is not suggested for a parameter without one', () => {
  expect(hintForUnknown('limit!', LIST_PARAMETER_NAMES)).not.toContain('exclude');
});

test.each(['page', 'limit', 'per_page'])(
  'a summary, which has no pages, suggests no paging for %j',
  (name) => {
    const hint = hintForUnknown(name, Object.keys(SUMMARY_PARAMETERS));
    expect(hint).not.toMatch(/limit|Link/);
  },
);

test.each(['cursor', 'page', 'start_date', 'since', 'updated_after'])(
  'the change feed, which begins at a position, explains positions for %j',
  (name) => {
    expect(hintForUnknown(name, Object.keys(CHANGES_PARAMETERS))).toContain('Changes-After');
  },
);

test.each(['status', 'exclude_program_id'])(
  'the change feed cannot filter by %j, and names the filters that it has',
  (name) => {
    const hint = hintForUnknown(name, Object.keys(CHANGES_PARAMETERS));
    expect(hint).toContain('only the filters program_id and publisher_id');
  },
);

test('nothing is suggested without known names', () => {
  expect(nearestName('type', [])).toBeUndefined();
});

test('a text that is too long for a typo is not compared with the names', () => {
  const reads = vi.spyOn(String.prototype, 'charCodeAt');
  onTestFinished(() => reads.mockRestore());
  const readsFor = (text: string) => {
    const before = reads.mock.calls.length;
    const name = nearestName(text, ['status', 'type']);
    return { name, isCompared: reads.mock.calls.length > before };
  };
  const [close, far] = [readsFor('statusxx'), readsFor('status'.padEnd(64_000, 'x'))];
  expect(close).toEqual({ name: 'status', isCompared: true });
  expect(far).toEqual({ name: undefined, isCompared: false });
});

test('the nearest of very many names is found', () => {
  const names = Array.from({ length: 200_000 }, (_, number) => `name_${number}`);
  expect(nearestName('nam_199999', names)).toBe('name_199999');
});
