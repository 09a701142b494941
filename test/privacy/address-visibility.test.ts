import { expect, test } from 'vitest';
import {
  addressVisibilityText,
  FULL_ADDRESSES,
  readAddressVisibility,
} from '../../src/contract/record/address-visibility.ts';

test.each([
  ['masked', { admin: 'masked', affiliate: 'masked' }],
  [' hidden ', { admin: 'hidden', affiliate: 'hidden' }],
  ['affiliate=masked', { admin: 'full', affiliate: 'masked' }],
  ['admin=masked,affiliate=hidden', { admin: 'masked', affiliate: 'hidden' }],
  ['affiliate = masked , admin = full', { admin: 'full', affiliate: 'masked' }],
])('"%s" is understood', (text, visibility) => {
  const read = readAddressVisibility(text);
  expect(read).toEqual(visibility);
  expect(readAddressVisibility(addressVisibilityText(read))).toEqual(visibility);
});

test.each([
  '',
  'half',
  'Masked',
  'affiliate',
  'affiliate=',
  'affiliate=half',
  'partner=masked',
  'admin=full, admin=masked',
  'affiliate=masked,',
  'affiliate=masked=full',
  'masked, admin=full',
])('"%s" is refused', (text) => {
  expect(() => readAddressVisibility(text)).toThrow('must be one of full, masked, hidden');
});

test('by default all see full addresses, as the specification says', () => {
  expect(FULL_ADDRESSES).toEqual(readAddressVisibility('full'));
});
