import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIELDS, type Field, STORED_FIELDS } from '../../src/contract/record/fields.ts';
import { KINDS } from '../../src/contract/record/kinds.ts';
import { RECORD_FIELDS, ROLES } from '../../src/contract/record/records.ts';
import { TABLE_OF } from '../../src/plan/report-table.ts';
import { openTestEngine, type TestEngine } from '../support/databases/engine.ts';
import { awkwardInsert } from '../support/rows/awkward-row.ts';
import { SPECIFIED_KINDS } from '../support/rows/specification.ts';
import { fc, runCount } from '../support/run/properties.ts';

let database: TestEngine;

beforeAll(async () => {
  database = await openTestEngine();
});

afterAll(async () => await database.close());

/** The record as bytes, which need not be UTF-8. */
async function recordOf(role: (typeof ROLES)[number], id: number): Promise<Buffer> {
  const [row] = await database.rows<{ record: string }>(
    `SELECT hex(concat(record_head, 'label', record_tail)) AS record FROM ${TABLE_OF[role]} WHERE transaction_id = ${id}`,
  );
  return Buffer.from(row?.record ?? '', 'hex');
}

/** Decodes bytes that must be UTF-8. */
const parsed = (record: Buffer): Record<string, unknown> =>
  JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(record));

describe.each(ROLES)('with invalid stored data, the record of the %s', (role) => {
  test.each(KINDS)('of type %s has null in every field without a meaning', async (kind) => {
    const id = 100 + ROLES.indexOf(role) * 10 + KINDS.indexOf(kind);
    await database.run(awkwardInsert(kind, { transaction_id: String(id) }));
    const record = parsed(await recordOf(role, id));
    const meaningless = Object.keys(record).filter((name) => record[name] === null);
    const specified = RECORD_FIELDS[role].filter(
      ({ name }) => SPECIFIED_KINDS[name]?.includes(kind) === false,
    );
    expect(meaningless).toEqual(specified.map(({ name }) => name));
  });

  test.each([0, 1, 2])('of status %i has a validation_date only when it is 1', async (status) => {
    const id = 200 + ROLES.indexOf(role) * 10 + status;
    await database.run(
      awkwardInsert('leads', { transaction_id: String(id), status: String(status) }),
    );
    const { validation_date } = parsed(await recordOf(role, id));
    expect(validation_date).toBe(status === 1 ? '2026-01-01 01:00:00' : null);
  });
});

const isText = (field: Field): boolean =>
  ['text', 'word', 'address', 'country'].includes(field.type);

const BROKEN = {
  'a lone continuation byte': '80',
  'bytes that UTF-8 never has': 'fffec0c1f5',
  'a sequence cut short': 'e282',
  'a sequence cut short by a quote': 'e28222',
  'a sequence cut short by a backslash': 'f09f985c',
  'a sequence cut short by a control character': 'e28209',
  'an overlong quote': 'c0a2',
  'an overlong slash': 'e0809c',
  'a surrogate': 'eda080',
  'beyond Unicode': 'f4908080',
  'quotes and controls among broken bytes': '22ff5c00fe0a80',
  'Latin-1': Buffer.from('café à la crème', 'latin1').toString('hex'),
};

describe('invalid UTF-8 that was stored without an import', () => {
  const texts = STORED_FIELDS.filter(isText);

  test.each(Object.entries(BROKEN))('%s gives valid JSON', async (name, hex) => {
    const id = 300 + Object.keys(BROKEN).indexOf(name);
    const given = Object.fromEntries(texts.map((field) => [field.name, `unhex('${hex}')`]));
    await database.run(awkwardInsert('sales', { ...given, transaction_id: String(id) }));
    for (const role of ROLES) {
      const record = parsed(await recordOf(role, id));
      expect(Object.keys(record)).toEqual(RECORD_FIELDS[role].map((field) => field.name));
      expect(record.token).toMatch(/\ufffd/);
    }
  });

  test('any bytes give valid JSON, and valid UTF-8 is unchanged', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 12 }).map((array) => Buffer.from(array)),
      fc.string({ unit: 'binary', maxLength: 12 }).map((text) => Buffer.from(text)),
    );
    const samples = fc.sample(bytes, runCount(1000));
    const list = samples.map((sample) => `unhex('${sample.toString('hex')}')`).join(', ');
    await database.run(
      awkwardInsert('sales', {
        transaction_id: '1000 + number',
        token: 'bytes',
        pid: 'bytes',
      }).concat(
        ` FROM (SELECT arrayJoin(arrayZip(range(${samples.length}), [${list}])) AS pair, pair.1 AS number, pair.2 AS bytes)`,
      ),
    );
    const rows = await database.rows<{ id: number; record: string }>(
      `SELECT transaction_id - 1000 AS id, hex(concat(record_head, record_tail)) AS record
FROM transactions WHERE transaction_id >= 1000 ORDER BY id`,
    );
    expect(rows).toHaveLength(samples.length);
    for (const { id, record } of rows) {
      const sample = samples[id] ?? Buffer.alloc(0);
      const shown = sample.toString('hex');
      const read = parsed(Buffer.from(record, 'hex'));
      expect(Object.keys(read), shown).toHaveLength(FIELDS.length);
      const text = sample.toString();
      if (Buffer.from(text).equals(sample)) expect(read.token, shown).toBe(text);
    }
  });
});
