/** Random rows with few different values in each field, among them null, so that sorted lists have many ties. */

import {
  FIELD_NAMED,
  STORED_FIELDS,
  type StoredField,
} from '../../../../src/contract/record/fields.ts';
import { KINDS, type Kind } from '../../../../src/contract/record/kinds.ts';
import { VALIDATED } from '../../../../src/contract/record/statuses.ts';
import { fc } from '../../run/properties.ts';
import { applicableTo, type FileRow, fileRow } from '../file-rows.ts';

/** Sorting compares only the beginning of a text. These texts differ within that beginning or after it. */
const LONG = ['1', '2'].flatMap((end) =>
  [`https://a.example/${end}`, 'https://a.example/'].map(
    (start) => `${start}${'é'.repeat(260)}${end}`,
  ),
);

const VALUES: { readonly [type in StoredField['type']]: FileRow[string][] } = {
  integer: [null, 0, 7, 10, Number.MAX_SAFE_INTEGER],
  decimal: [null, 0, 0.1, 2.5, 10, 999_999_999_999.5],
  text: [null, 'a', 'aa', 'B', 'é ü', '"q"\\', '=1', 'tab\there', ...LONG],
  word: [null, 'mobile', 'Mobile', "it's", 'é', ...LONG],
  address: [null, '10.0.0.1', '9.0.0.1', '2001:db8::1'],
  country: [null, 'FR', 'BE', 'DE'],
  date: [null, '2026-01-20 00:00:00', '2026-01-21 10:30:00', '2025-12-31 23:59:59'],
  status: [0, 1, 2],
};

const ownValues: Partial<Record<string, FileRow[string][]>> = {
  program_id: [10, 11],
  publisher_id: [100, 101, 102],
  support_id: [1, 2],
  // Also at the ends of months, because each month is a partition.
  created_at: [
    '2026-01-01 00:00:00',
    '2026-01-10 12:00:00',
    '2026-01-10 12:00:01',
    '2026-01-31 23:59:59',
    '2026-02-01 00:00:00',
  ],
  updated_at: ['2026-02-22 12:00:00', '2026-03-01 00:00:00'],
};

const values = Object.fromEntries(
  STORED_FIELDS.filter(({ name }) => name !== FIELD_NAMED.transaction_id.name).map((field) => [
    field.name,
    fc.constantFrom(...(ownValues[field.name] ?? VALUES[field.type])),
  ]),
);

/** Random rows of all kinds. */
export function sortableRows(count: number, seed: number): readonly FileRow[] {
  const sampled = fc.sample(fc.tuple(fc.constantFrom(...KINDS), fc.record(values)), {
    numRuns: count,
    seed,
  });
  // Identifiers are not in the order of creation.
  return sampled.map(([type, row], at) => rowOf(type, row, { transaction_id: idOf(at) }));
}

const idOf = (at: number): number => 1 + ((at * 7919) % 100_003);

/** All versions of a transaction have the same values of these fields. */
const KEPT = ['transaction_id', 'publisher_id', 'created_at'];

/** Later versions of every second row, with other values and often with another program. */
export function secondVersions(rows: readonly FileRow[], seed: number): readonly FileRow[] {
  const sampled = fc.sample(fc.record(values), { numRuns: rows.length, seed });
  const updates = ['2026-03-01 12:00:00', '2026-03-02 12:00:00'];
  return rows.flatMap((row, at) => {
    const kind = KINDS.find((one) => one === row.type);
    if (at % 2 === 1 || kind === undefined) return [];
    const same = KEPT.map((name) => [name, row[name] ?? null] as const);
    const updated_at = updates[(at / 2) % 2] ?? null;
    return [rowOf(kind, { ...sampled[at] }, { ...Object.fromEntries(same), updated_at })];
  });
}

const rowOf = (type: Kind, row: FileRow, identity: FileRow): FileRow =>
  fileRow({
    ...applicableTo(type, row),
    type,
    ...identity,
    validation_date:
      row.status === VALIDATED ? (row.validation_date ?? '2026-01-24 09:00:00') : null,
  });
