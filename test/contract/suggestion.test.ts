import { expect, test } from 'vitest';
import { PARAMETER_NAMES } from '../../src/contract/query/parameters.ts';
import { nearestName } from '../../src/contract/query/suggestion.ts';
import { fc } from '../support/run/properties.ts';
import { faultsOf, GOOD, queryString } from './query-faults.ts';

const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz_');

const mistyped = fc
  .record({ name: fc.constantFrom(...PARAMETER_NAMES), place: fc.nat(), letter })
  .map(({ name, place, letter }) => {
    const at = place % name.length;
    return { name, text: name.slice(0, at) + letter + name.slice(at + 1) };
  })
  .filter(({ name, text }) => name !== text);

const toldFor = (name: string) =>
  faultsOf(`${queryString(GOOD)}&${name}=1`).find(({ code }) => code === 'unknown')?.detail;

test('a parameter with one letter changed is refused, and the right name is suggested', () => {
  fc.assert(
    fc.property(mistyped, ({ name, text }) => {
      expect(toldFor(text)).toBe(`Unknown parameter. Did you mean "${name}"?`);
    }),
  );
});

test('a parameter with a missing letter is refused, and the right name is suggested', () => {
  for (const name of PARAMETER_NAMES) {
    for (let at = 0; at < name.length; at += 1) {
      expect(nearestName(name.slice(0, at) + name.slice(at + 1), PARAMETER_NAMES)).toBe(name);
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
  expect(nearestName(wrong, PARAMETER_NAMES)).toBe(right);
});

test.each(['page', 'offset', 'x', '', 'access_token'])('for %j nothing is suggested', (name) => {
  expect(toldFor(name)).toBe('Unknown parameter.');
});

test('nothing is suggested without known names', () => {
  expect(nearestName('type', [])).toBeUndefined();
});
