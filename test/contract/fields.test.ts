import { expect, test } from 'vitest';
import { appliesTo, FIELDS, type Field, STORED_FIELDS } from '../../src/contract/record/fields.ts';
import { KINDS } from '../../src/contract/record/kinds.ts';
import { RECORD_FIELDS, ROLES } from '../../src/contract/record/records.ts';
import { SPECIFIED, SPECIFIED_KINDS, SPECIFIED_REQUIRED } from '../support/rows/specification.ts';

const fieldNamesOf = (role: 'admin' | 'affiliate'): readonly string[] =>
  SPECIFIED[role].map(([name]) => name);

const allFields: readonly Field[] = FIELDS;

test.each(ROLES)('the record of %s has the fields of the specification, in its order', (role) => {
  expect(RECORD_FIELDS[role].map(({ name }) => name)).toEqual(fieldNamesOf(role));
});

test('the remuneration in the affiliate’s record is the publisher’s, not what the program pays', () => {
  const renamed = RECORD_FIELDS.affiliate.filter(({ name, field }) => name !== field.name);
  expect(renamed.map(({ name, field }) => [name, field.name])).toEqual([
    ['remuneration', 'remu_publisher'],
  ]);
});

test('the positions in the affiliate’s record are consecutive and unique', () => {
  const places = allFields.flatMap(({ affiliate = 0 }) => (affiliate > 0 ? [affiliate] : []));
  expect(places.sort((one, other) => one - other)).toEqual(
    SPECIFIED.affiliate.map((_, at) => at + 1),
  );
});

test.each(allFields)('$name applies to its kinds only', (field) => {
  const kinds = KINDS.filter((kind) => appliesTo(field, kind));
  expect(kinds).toEqual(SPECIFIED_KINDS[field.name] ?? KINDS);
});

test('the kinds are the five of the specification', () => {
  expect(KINDS).toEqual(['impressions', 'clics', 'dbclicks', 'leads', 'sales']);
});

test('identifiers, creation date and status are never null', () => {
  const required = allFields.filter((field) => field.required);
  expect(required.map(({ name }) => name)).toEqual(SPECIFIED_REQUIRED);
});

test('a field that does not apply to every kind may be null', () => {
  expect(allFields.filter((field) => field.required && field.kinds)).toEqual([]);
});

test('every field is stored except the label, which depends on the reader’s language', () => {
  const stored = STORED_FIELDS.map(({ name }) => name);
  expect(stored).toEqual(fieldNamesOf('admin').filter((name) => name !== 'status_label'));
});
