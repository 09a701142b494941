import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { isCalendarDate } from '../../src/contract/query/calendar.ts';
import { DIRECTORY_PARAMETERS } from '../../src/contract/query/directory-parameters.ts';
import { InvalidValue } from '../../src/contract/query/parameter-values.ts';
import {
  LIST_PARAMETERS,
  type Parameter,
  SUMMARY_PARAMETERS,
  schemaOfParameter,
  valueBySchema,
} from '../../src/contract/query/parameters.ts';
import { PERFORMANCE_PARAMETERS } from '../../src/contract/query/performance-parameters.ts';
import { RECORD_FIELDS, ROLES } from '../../src/contract/record/records.ts';
import { schemaOfRecord } from '../../src/contract/record/schemas.ts';
import { fc, runCount } from '../support/run/properties.ts';
import { sampleRow } from './sample-rows.ts';

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  formats: { date: isCalendarDate },
});

const ROWS = { admin: sampleRow('admin'), affiliate: sampleRow('affiliate') };

const accepts = {
  admin: ajv.compile(schemaOfRecord('admin')),
  affiliate: ajv.compile(schemaOfRecord('affiliate')),
};

test.each(ROLES)('the schema for %s accepts a row with every field', (role) => {
  expect(accepts[role](ROWS[role])).toBe(true);
});

test.each(ROLES)('the schema for %s allows null unless the field is required', (role) => {
  for (const { name, field } of RECORD_FIELDS[role]) {
    const row = { ...ROWS[role], [name]: null };
    expect([name, accepts[role](row)]).toEqual([name, field.required !== true]);
  }
});

test.each(ROLES)('the schema for %s requires every field', (role) => {
  for (const { name } of RECORD_FIELDS[role]) {
    const rest = Object.entries(ROWS[role]).filter(([key]) => key !== name);
    expect([name, accepts[role](Object.fromEntries(rest))]).toEqual([name, false]);
  }
});

test.each(ROLES)('the schema for %s has the fields in the order of the record', (role) => {
  const { properties, required } = schemaOfRecord(role);
  const names = RECORD_FIELDS[role].map(({ name }) => name);
  expect(Object.keys(Object(properties))).toEqual(names);
  expect(required).toEqual(names);
});

test('the schema of each role refuses rows of the other role', () => {
  expect(accepts.affiliate(ROWS.admin)).toBe(false);
  expect(accepts.admin(ROWS.affiliate)).toBe(false);
});

test.each([
  { transaction_id: '1' },
  { transaction_id: 1.5 },
  { transaction_id: -1 },
  { transaction_id: 2 ** 53 },
  { support_id: [] },
  { payment_id: 7 },
  { remu_program: '1.5' },
  { country: 'fr' },
  { country: 'FRA' },
  { status: 1 },
  { status: '3' },
  { status_label: 'Valide' },
  { validation_date: '' },
  { validation_date: '2026-01-02' },
  { created_at: '2026-01-02T03:04:05Z' },
  { created_at: '2026-01-02 03:04:05 ' },
  { unknown: null },
])('a row with %j is refused', (wrong) => {
  expect(accepts.admin({ ...ROWS.admin, ...wrong })).toBe(false);
});

test('every field of the schema has a description', () => {
  const { properties } = schemaOfRecord('admin');
  for (const { description } of Object.values(Object(properties)) as { description?: string }[]) {
    expect(description).toMatch(/\S/);
  }
});

const LINES = [
  ...Object.entries<Parameter<unknown>>(LIST_PARAMETERS).map(
    ([name, line]) => ['a list', name, line] as const,
  ),
  ...Object.entries<Parameter<unknown>>(SUMMARY_PARAMETERS).map(
    ([name, line]) => ['a summary', name, line] as const,
  ),
  ...Object.entries<Parameter<unknown>>(PERFORMANCE_PARAMETERS).map(
    ([name, line]) => ['performance', name, line] as const,
  ),
  ...Object.entries<Parameter<unknown>>(DIRECTORY_PARAMETERS).map(
    ([name, line]) => ['a list of names', name, line] as const,
  ),
];

test.each(LINES)('for %s, the schema of the parameter %s accepts its example', (_, _name, line) => {
  const schema = schemaOfParameter(line, 'admin');
  const accepts = (text: string) => ajv.validate(schema, valueBySchema(text, schema));
  expect(accepts(line.example)).toBe(true);
  expect(String(line.read(line.example, 'admin'))).toBe(line.example);
  // A free text may have any characters, up to its maximum length.
  const { maxLength } = Object(schema.items ?? schema);
  const wrong = maxLength === undefined ? `${line.example}!` : 'x'.repeat(1001);
  expect(accepts(wrong)).toBe(false);
});

/** Whether the service accepts the text. */
function isRead({ read }: Parameter<unknown>, text: string): boolean {
  try {
    read(text, 'admin');
    return true;
  } catch (error) {
    if (error instanceof InvalidValue) return false;
    throw error;
  }
}

test.each(LINES)(
  'for %s, the service accepts what the schema of the parameter %s accepts',
  (_, _name, line) => {
    const schema = schemaOfParameter(line, 'admin');
    const { enum: words = [] } = (schema.items ?? schema) as { readonly enum?: readonly string[] };
    const item = fc.oneof(
      fc.constantFrom(...line.example.split(','), ...words),
      fc.constantFrom(
        '0',
        '01',
        'fr',
        'x',
        '',
        String(Number.MAX_SAFE_INTEGER),
        '9007199254740992',
      ),
    );
    const text = fc.array(item, { minLength: 1, maxLength: 5 }).map((items) => items.join(','));
    fc.assert(
      fc.property(text, (given) => {
        const value = valueBySchema(given, schema);
        // A conversion to numbers makes some wrong texts valid, such as `01` and the empty text. They are left out.
        if (given === '' || String(value) !== given || !ajv.validate(schema, value)) return;
        expect(isRead(line, given), given).toBe(true);
      }),
      { numRuns: runCount(500) },
    );
  },
);

test.each([
  [LIST_PARAMETERS.status, '1,1,2', ['1', '2']],
  [SUMMARY_PARAMETERS.type, 'sales,leads,sales', ['sales', 'leads']],
  [LIST_PARAMETERS.program_id, '7,7', [7]],
  [LIST_PARAMETERS.country, 'fr,FR', ['FR']],
])('a repeated value counts once: %#', ({ read }, text, values) => {
  expect(read(text)).toEqual(values);
});

test.each<[Parameter<unknown>, string]>([
  [LIST_PARAMETERS.fields, 'status,status'],
  [SUMMARY_PARAMETERS.group_by, 'day,day'],
  [SUMMARY_PARAMETERS.group_by, 'day,status,type,subid'],
  [PERFORMANCE_PARAMETERS.group_by, 'day,day'],
  [PERFORMANCE_PARAMETERS.group_by, 'status'],
  [PERFORMANCE_PARAMETERS.sort, '+earnings'],
  [PERFORMANCE_PARAMETERS.offset, '-1'],
])('an impossible value is refused by the service and the schema: %#', (line, text) => {
  const schema = schemaOfParameter(line, 'admin');
  expect(isRead(line, text)).toBe(false);
  expect(ajv.validate(schema, valueBySchema(text, schema))).toBe(false);
});
