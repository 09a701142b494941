/** Valid rows of import files, to which tests add their values. */

import { appliesTo, FIELDS, type Field } from '../../../src/contract/record/fields.ts';
import type { Kind } from '../../../src/contract/record/kinds.ts';

export type FileRow = Readonly<Record<string, string | number | null>>;

let rows = 0;

/** A row with the required fields and the given ones. */
export function fileRow(given: FileRow): FileRow {
  rows += 1;
  const created = given.created_at ?? '2026-01-15 12:00:00';
  return {
    type: 'sales',
    transaction_id: 1_000_000 + rows,
    program_id: 10,
    publisher_id: 100,
    support_id: 1,
    status: 2,
    created_at: created,
    updated_at: created,
    ...given,
  };
}

/** The values that apply to the kind. */
export const applicableTo = (kind: Kind, values: FileRow): FileRow =>
  Object.fromEntries(
    (FIELDS as readonly Field[]).flatMap((field) =>
      field.name in values && appliesTo(field, kind)
        ? [[field.name, values[field.name] ?? null]]
        : [],
    ),
  );

/** One JSON object per line. */
export const ndjson = (all: readonly FileRow[]): string =>
  all.map((row) => `${JSON.stringify(row)}\n`).join('');
