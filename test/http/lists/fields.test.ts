import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { assertNever } from '../../../src/contract/assert-never.ts';
import {
  type Field,
  STORED_FIELDS,
  type StoredField,
} from '../../../src/contract/record/fields.ts';
import { KINDS, type Kind } from '../../../src/contract/record/kinds.ts';
import { RECORD_FIELDS, ROLES, type Role } from '../../../src/contract/record/records.ts';
import { schemaOfRecord } from '../../../src/contract/record/schemas.ts';
import { STORES, type StoreKind } from '../../support/databases/tested-stores.ts';
import { startService } from '../../support/requests/service.ts';
import { applicableTo, type FileRow, fileRow, ndjson } from '../../support/rows/file-rows.ts';
import {
  SPECIFIED,
  SPECIFIED_KINDS,
  type SpecifiedLine,
} from '../../support/rows/specification.ts';
import { IS_FULL } from '../../support/run/test-extent.ts';

/** A different value for each field, so that none can be mistaken for another. */
function distinctValue({ name, type }: StoredField, at: number): string | number {
  switch (type) {
    case 'integer':
      return 1000 + at;
    case 'decimal':
      return at + 0.25;
    case 'text':
    case 'word':
      return `${name}-${at}`;
    case 'address':
      return `2001:db8::${at}`;
    case 'country':
      return 'FR';
    case 'date':
      return `2026-01-10 00:00:${at}`;
    case 'status':
      return 1;
    default:
      return assertNever(type);
  }
}

const FILLED: FileRow = {
  ...Object.fromEntries(
    STORED_FIELDS.map((field, at) => [field.name, distinctValue(field, at + 10)]),
  ),
  publisher_id: 31,
  created_at: '2026-01-10 04:04:04',
};

const idOf = (kind: Kind, row: 'full' | 'bare'): number =>
  11 + KINDS.indexOf(kind) + (row === 'full' ? 0 : KINDS.length);

const ROWS = KINDS.flatMap((kind) => [
  { type: kind, ...applicableTo(kind, { ...FILLED, transaction_id: idOf(kind, 'full') }) },
  fileRow({
    type: kind,
    transaction_id: idOf(kind, 'bare'),
    publisher_id: 31,
    created_at: '2026-01-10 04:04:04',
    status: 2,
  }),
]);

/** The text of each record, by role, kind and identifier. */
type Texts = ReadonlyMap<string, string>;

/** The records of each store. */
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

/**
 * In `npm test`, the embedded engine and a server. A cluster reads its rows like a server, and the tests of clusters
 * read lists.
 */
const TESTED = STORES.filter((store) => IS_FULL || store !== 'cluster');

beforeAll(async () => {
  for (const store of TESTED) answers.set(store, await textsFrom(store));
});

test.each(TESTED)(
  'the store %s has the same bytes as the embedded one, for every role and kind',
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

function expected(kind: Kind, field: Field): string {
  const kinds = SPECIFIED_KINDS[field.name];
  if (kinds !== undefined && !kinds.includes(kind)) return 'null';
  if (field.name === 'transaction_id') return String(idOf(kind, 'full'));
  if (field.name === 'status_label') return '"Validé"';
  if (field.name === 'status') return '"1"';
  return JSON.stringify(FILLED[field.name]);
}

const OF_TYPE = { int: /^\d+$/, float: /^-?\d+(\.\d+)?$/, string: /^".*"$/ } as const;

describe.each(ROLES)('in the record of the %s', (role) => {
  const specified: readonly SpecifiedLine[] = SPECIFIED[role];

  describe.each(KINDS)('of type %s', (kind) => {
    test.each(RECORD_FIELDS[role])(
      '$name has the value of the file, or null if it does not apply to the kind',
      ({ name, field }) => {
        expect(shown(record(role, kind, 'full'), name)).toBe(expected(kind, field));
      },
    );

    test.each(specified)('%s has the JSON type of the specification: %s', (name, type) => {
      const kinds = SPECIFIED_KINDS[name];
      const pattern = kinds === undefined || kinds.includes(kind) ? OF_TYPE[type] : /^null$/;
      expect(shown(record(role, kind, 'full'), name)).toMatch(pattern);
    });

    const nullable = RECORD_FIELDS[role].filter(({ field }) => !field.required);
    test.each(nullable)('$name is null if it is empty in the file', ({ name }) => {
      expect(shown(record(role, kind, 'bare'), name)).toBe('null');
    });

    test.each(['full', 'bare'] as const)('the %s record matches its JSON Schema', (row) => {
      const validate = new Ajv2020({ strict: true }).compile(schemaOfRecord(role));
      validate(JSON.parse(record(role, kind, row)));
      expect(validate.errors).toBeNull();
    });

    test.each(['full', 'bare'] as const)(
      'the %s record has the keys of the specification, in its order',
      (row) => {
        const keys = Object.keys(JSON.parse(record(role, kind, row)));
        expect(keys).toEqual(specified.map(([name]) => name));
      },
    );
  });

  test('the schema refuses a record with an extra key, a missing key or a value of another type', () => {
    const validate = new Ajv2020({ strict: true }).compile(schemaOfRecord(role));
    const good = JSON.parse(record(role, 'sales', 'full'));
    const { transaction_id, ...without } = good;
    for (const bad of [{ ...good, more: 1 }, without, { ...good, status: 1 }]) {
      expect(validate(bad)).toBe(false);
    }
    expect(transaction_id).toBe(idOf('sales', 'full'));
  });
});
