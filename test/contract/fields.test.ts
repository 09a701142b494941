import { expect, test } from 'vitest';
import {
  FIELDS,
  type Field,
  hasMeaningFor,
  STORED_FIELDS,
} from '../../src/contract/record/fields.ts';
import { KINDS } from '../../src/contract/record/kinds.ts';
import { RECORDS } from '../../src/contract/record/records.ts';

/** Written out, so that whoever changes what a reader sees has to say so here. */
const ADMIN = [
  'transaction_id',
  'program_id',
  'publisher_id',
  'support_id',
  'invoice_id',
  'payment_id',
  'remu_program',
  'remu_publisher',
  'ip_address',
  'pid',
  'clickid',
  'subid',
  'token',
  'total',
  'orderid',
  'userid',
  'target',
  'amount',
  'coupon',
  'share',
  'share_label',
  'first_click',
  'last_click',
  'first_referer',
  'last_referer',
  'country',
  'device_type',
  'device_os',
  'browser',
  'referer',
  'status',
  'status_label',
  'validation_date',
  'created_at',
  'updated_at',
];

const AFFILIATE = [
  'transaction_id',
  'program_id',
  'publisher_id',
  'support_id',
  'payment_id',
  'remuneration',
  'total',
  'ip_address',
  'clickid',
  'subid',
  'token',
  'country',
  'device_type',
  'device_os',
  'browser',
  'status',
  'status_label',
  'validation_date',
  'created_at',
  'updated_at',
];

/** Fields with a meaning for some kinds only. */
const KINDS_OF: Readonly<Record<string, readonly string[]>> = {
  total: ['impressions', 'clics', 'dbclicks'],
  orderid: ['leads', 'sales'],
  userid: ['leads', 'sales'],
  target: ['leads', 'sales'],
  amount: ['sales'],
  coupon: ['sales'],
  share: ['sales'],
  share_label: ['sales'],
  first_click: ['sales'],
  last_click: ['sales'],
  first_referer: ['sales'],
  last_referer: ['sales'],
};

const NEVER_NULL = [
  'transaction_id',
  'program_id',
  'publisher_id',
  'support_id',
  'status',
  'status_label',
  'created_at',
  'updated_at',
];

const allFields: readonly Field[] = FIELDS;

test('an administrator reads 35 fields, in the order of the contract', () => {
  expect(RECORDS.admin.map(({ name }) => name)).toEqual(ADMIN);
  expect(ADMIN).toHaveLength(35);
});

test('an affiliate reads 20 fields, in the order of the contract, and no other', () => {
  expect(RECORDS.affiliate.map(({ name }) => name)).toEqual(AFFILIATE);
  expect(AFFILIATE).toHaveLength(20);
});

test('an affiliate’s remuneration is what the publisher gets, and not what the program pays', () => {
  const renamed = RECORDS.affiliate.filter(({ name, field }) => name !== field.name);
  expect(renamed.map(({ name, field }) => [name, field.name])).toEqual([
    ['remuneration', 'remu_publisher'],
  ]);
});

test('the affiliate’s places are 1 to 20, each taken once', () => {
  const places = allFields.flatMap(({ affiliate = 0 }) => (affiliate > 0 ? [affiliate] : []));
  expect(places.sort((one, other) => one - other)).toEqual(AFFILIATE.map((_, at) => at + 1));
});

test.each(allFields)('$name has a meaning for its kinds only', (field) => {
  const kinds = KINDS.filter((kind) => hasMeaningFor(field, kind));
  expect(kinds).toEqual(KINDS_OF[field.name] ?? KINDS);
});

test('the kinds are the five of the contract', () => {
  expect(KINDS).toEqual(['impressions', 'clics', 'dbclicks', 'leads', 'sales']);
});

test('what identifies and dates a transaction, and its status, is never null', () => {
  const required = allFields.filter((field) => field.required);
  expect(required.map(({ name }) => name)).toEqual(NEVER_NULL);
});

test('a field that has no meaning for some kind may be null', () => {
  expect(allFields.filter((field) => field.required && field.kinds)).toEqual([]);
});

test('every field is stored but the label, which depends on the reader', () => {
  const stored = STORED_FIELDS.map(({ name }) => name);
  expect(stored).toEqual(ADMIN.filter((name) => name !== 'status_label'));
});
