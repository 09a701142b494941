import { expect, test } from 'vitest';
import {
  DEFAULT_LOCALE,
  isLocale,
  LOCALES,
  localeOfTag,
  STATUS_LABELS,
} from '../../src/contract/record/labels.ts';
import { STATUSES } from '../../src/contract/record/statuses.ts';

test('in French the statuses 0, 1 and 2 are Refusé, Validé and En attente', () => {
  expect(STATUSES).toEqual([0, 1, 2]);
  expect(STATUS_LABELS.fr).toEqual(['Refusé', 'Validé', 'En attente']);
});

test('in English the statuses 0, 1 and 2 are Refused, Validated and Pending', () => {
  expect(STATUS_LABELS.en).toEqual(['Refused', 'Validated', 'Pending']);
});

test('there are labels in seven languages, and French is the default', () => {
  expect(LOCALES).toEqual(['fr', 'en', 'de', 'es', 'it', 'nl', 'pt']);
  expect(DEFAULT_LOCALE).toBe('fr');
});

test.each(LOCALES)('in %s every status has a different label', (locale) => {
  expect(new Set(STATUS_LABELS[locale]).size).toBe(STATUSES.length);
});

test.each(LOCALES)(
  'the labels in %s need no escaping in JSON and are in Unicode normal form C',
  (locale) => {
    for (const label of STATUS_LABELS[locale]) {
      expect(JSON.stringify(label)).toBe(`"${label}"`);
      expect(label.normalize('NFC')).toBe(label);
      expect(label.trim()).toBe(label);
    }
  },
);

test.each([
  ['fr', 'fr'],
  ['fr-CA', 'fr'],
  ['FR-be', 'fr'],
  ['en-GB', 'en'],
  ['pt-BR', 'pt'],
  ['de-Latn-CH-1996', 'de'],
])('the language tag %s selects %s', (tag, locale) => {
  expect(localeOfTag(tag)).toBe(locale);
});

test.each(['*', '', '-', 'ja', 'fro', 'f', 'constructor', '__proto__', 'toString'])(
  'the language tag %j selects none of the languages',
  (tag) => {
    expect(localeOfTag(tag)).toBeUndefined();
    expect(isLocale(tag)).toBe(false);
  },
);
