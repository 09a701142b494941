import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { isCalendarDate } from '../../src/contract/calendar.ts';
import {
  PARAMETER_NAMES,
  PARAMETERS,
  type Parameter,
  schemaOfParameter,
} from '../../src/contract/parameters.ts';
import { AUDIENCES, RECORDS } from '../../src/contract/records.ts';
import { schemaOfRecord } from '../../src/contract/schemas.ts';
import { ADMIN_ROW, AFFILIATE_ROW } from './sample-rows.ts';

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  formats: { date: isCalendarDate, int64: true },
});

const ROWS = { admin: ADMIN_ROW, affiliate: AFFILIATE_ROW };

const accepts = {
  admin: ajv.compile(schemaOfRecord('admin')),
  affiliate: ajv.compile(schemaOfRecord('affiliate')),
};

test.each(AUDIENCES)('the schema for %s accepts a row that has everything', (audience) => {
  expect(accepts[audience](ROWS[audience])).toBe(true);
});

test.each(AUDIENCES)('the schema for %s lets a field be null unless it never is', (audience) => {
  for (const { name, field } of RECORDS[audience]) {
    const row = { ...ROWS[audience], [name]: null };
    expect([name, accepts[audience](row)]).toEqual([name, field.required !== true]);
  }
});

test.each(AUDIENCES)('the schema for %s wants every field', (audience) => {
  for (const { name } of RECORDS[audience]) {
    const rest = Object.entries(ROWS[audience]).filter(([key]) => key !== name);
    expect([name, accepts[audience](Object.fromEntries(rest))]).toEqual([name, false]);
  }
});

test.each(AUDIENCES)('the schema for %s has the fields in the record’s order', (audience) => {
  const { properties, required } = schemaOfRecord(audience);
  const names = RECORDS[audience].map(({ name }) => name);
  expect(Object.keys(Object(properties))).toEqual(names);
  expect(required).toEqual(names);
});

test('neither audience’s row passes for the other’s', () => {
  expect(accepts.affiliate(ADMIN_ROW)).toBe(false);
  expect(accepts.admin(AFFILIATE_ROW)).toBe(false);
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
])('a row with %j is not accepted', (wrong) => {
  expect(accepts.admin({ ...ADMIN_ROW, ...wrong })).toBe(false);
});

test('every field of the schema says what it means', () => {
  const { properties } = schemaOfRecord('admin');
  for (const { description } of Object.values(Object(properties)) as { description?: string }[]) {
    expect(description).toMatch(/\S/);
  }
});

test.each(PARAMETER_NAMES)('the schema of the parameter %s accepts its example', (name) => {
  const parameter: Parameter<unknown> = PARAMETERS[name];
  const schema = schemaOfParameter(parameter, 'admin');
  const value = (text: string) => (schema.type === 'integer' ? Number(text) : text);
  expect(ajv.validate(schema, value(parameter.example))).toBe(true);
  expect(String(parameter.read(parameter.example, 'admin'))).toBe(parameter.example);
  // Free text may be anything that is not too long.
  const wrong = schema.maxLength === undefined ? `${parameter.example}!` : 'x'.repeat(1001);
  expect(ajv.validate(schema, value(wrong))).toBe(false);
});
