import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { FIELDS, type FieldLine } from '../../../src/contract/record/fields.ts';
import { KINDS, type Kind } from '../../../src/contract/record/kinds.ts';
import { RECORDS, ROLES, type Role } from '../../../src/contract/record/records.ts';
import { schemaOfRecord } from '../../../src/contract/record/schemas.ts';
import { STORES, type StoreKind } from '../../support/databases/stores.ts';
import { startService } from '../../support/requests/service.ts';
import { fileRow, meantFor, ndjson } from '../../support/rows/file-rows.ts';
import { SPECIFIED, SPECIFIED_KINDS } from '../../support/rows/specification.ts';

type StoredName = Exclude<FieldLine, { type: 'status_label' }>['name'];

/** For every field a value of its own, as the file has it, so that none can stand for another. */
const FILLED: Readonly<Record<StoredName, string | number>> = {
  transaction_id: 0, // one a kind, see below
  program_id: 21,
  publisher_id: 31,
  support_id: 41,
  invoice_id: 'INV-51',
  payment_id: '61',
  remu_program: 71.25,
  remu_publisher: 81.5,
  ip_address: '2001:db8::91',
  pid: 'pid-101',
  clickid: 'click-111',
  subid: 'sub-121',
  token: 'tok-131',
  total: 141,
  orderid: 151,
  userid: 161,
  target: 'target-171',
  amount: 181.75,
  coupon: 'COUPON191',
  share: 201,
  share_label: 'share-211',
  first_click: '2026-01-01 01:01:01',
  last_click: '2026-01-02 02:02:02',
  first_referer: 'https://first.example/221',
  last_referer: 'https://last.example/231',
  country: 'FR',
  device_type: 'device-241',
  device_os: 'os-251',
  browser: 'browser-261',
  referer: 'https://referer.example/271',
  status: 1,
  validation_date: '2026-01-20 03:03:03',
  created_at: '2026-01-10 04:04:04',
  updated_at: '2026-01-21 05:05:05',
};

const idOf = (kind: Kind, row: 'full' | 'bare'): number =>
  11 + KINDS.indexOf(kind) + (row === 'full' ? 0 : KINDS.length);

const ROWS = KINDS.flatMap((kind) => [
  { type: kind, ...meantFor(kind, { ...FILLED, transaction_id: idOf(kind, 'full') }) },
  fileRow({
    type: kind,
    transaction_id: idOf(kind, 'bare'),
    publisher_id: FILLED.publisher_id,
    created_at: FILLED.created_at,
    status: 2,
  }),
]);

/** The text of each record, by audience, kind and identifier. */
type Texts = ReadonlyMap<string, string>;

/** By store. */
const answers = new Map<StoreKind, Texts>();

const record = (role: Role, kind: Kind, row: 'full' | 'bare'): string =>
  answers.get('embedded')?.get(`${role} ${kind} ${idOf(kind, row)}`) ?? 'no record';

async function textsFrom(store: StoreKind): Promise<Texts> {
  const texts = new Map<string, string>();
  const service = await startService({ store });
  await service.importText(ndjson(ROWS));
  const tokens = {
    admin: await service.token({}),
    affiliate: await service.token({ role: 'affiliate', publisherIds: [31] }),
  };
  for (const role of ROLES) {
    for (const kind of KINDS) {
      const question = `type=${kind}&start_date=2026-01-10&end_date=2026-01-10`;
      const path = `/api/${role}/transactions?${question}`;
      const body = await (await service.get(path, tokens[role])).text();
      for (const line of body.split('\n').filter((text) => text.startsWith('{'))) {
        const text = line.replace(/,$/, '');
        texts.set(`${role} ${kind} ${JSON.parse(text).transaction_id}`, text);
      }
    }
  }
  await service.close();
  return texts;
}

beforeAll(async () => {
  for (const store of STORES) answers.set(store, await textsFrom(store));
});

test.each(STORES)(
  'the store %s has a record of every kind for everyone, the same bytes',
  (store) => {
    expect(answers.get(store)?.size).toBe(ROLES.length * ROWS.length);
    expect(answers.get(store)).toEqual(answers.get('embedded'));
  },
);

/** The JSON text of the field's value. */
function shown(text: string, name: string): string {
  const [, value] = new RegExp(`[{,]"${name}":("[^"]*"|[^,}]*)[,}]`).exec(text) ?? [];
  return value ?? 'no field';
}

function expected(kind: Kind, field: FieldLine): string {
  const kinds = SPECIFIED_KINDS[field.name];
  if (kinds !== undefined && !kinds.includes(kind)) return 'null';
  if (field.name === 'transaction_id') return String(idOf(kind, 'full'));
  if (field.name === 'status_label') return '"Validé"';
  if (field.name === 'status') return '"1"';
  return JSON.stringify(FILLED[field.name]);
}

const OF_TYPE = { int: /^\d+$/, float: /^-?\d+(\.\d+)?$/, string: /^".*"$/ } as const;

describe.each(ROLES)('in the record of the %s', (role) => {
  const specified = SPECIFIED[role];

  describe.each(KINDS)('of type %s', (kind) => {
    test.each(RECORDS[role])(
      '$name has the value of its file, or null without a meaning',
      ({ name, field }) => {
        const line = FIELDS.find((known) => known.name === field.name);
        expect.assert(line !== undefined);
        expect(shown(record(role, kind, 'full'), name)).toBe(expected(kind, line));
      },
    );

    test.each(specified)(
      '%s is of the JSON type that the specification gives it: %s',
      (name, type) => {
        const kinds = SPECIFIED_KINDS[name];
        const pattern = kinds === undefined || kinds.includes(kind) ? OF_TYPE[type] : /^null$/;
        expect(shown(record(role, kind, 'full'), name)).toMatch(pattern);
      },
    );

    const nullable = RECORDS[role].filter(({ field }) => !field.required);
    test.each(nullable)('$name is null where the file left it empty', ({ name }) => {
      expect(shown(record(role, kind, 'bare'), name)).toBe('null');
    });

    test.each(['full', 'bare'] as const)('the %s record is as its JSON Schema says', (row) => {
      const validate = new Ajv2020({ strict: true, formats: { int64: true } }).compile(
        schemaOfRecord(role),
      );
      validate(JSON.parse(record(role, kind, row)));
      expect(validate.errors).toBeNull();
    });

    test.each(['full', 'bare'] as const)(
      "the %s record has the specification's keys in its order",
      (row) => {
        const keys = Object.keys(JSON.parse(record(role, kind, row)));
        expect(keys).toEqual(specified.map(([name]) => name));
      },
    );
  });

  test('the schema refuses a record with a key more, a key less or a value of another type', () => {
    const validate = new Ajv2020({ strict: true, formats: { int64: true } }).compile(
      schemaOfRecord(role),
    );
    const good = JSON.parse(record(role, 'sales', 'full'));
    const { transaction_id, ...without } = good;
    for (const bad of [{ ...good, more: 1 }, without, { ...good, status: 1 }]) {
      expect(validate(bad)).toBe(false);
    }
    expect(transaction_id).toBe(idOf('sales', 'full'));
  });
});
