/** Rows as files carry them, for tests: short to write, good unless a test makes them otherwise. */

import { FIELDS, type Field, hasMeaningFor } from '../../../src/contract/record/fields.ts';
import type { Kind } from '../../../src/contract/record/kinds.ts';

export type FileRow = Readonly<Record<string, string | number | null>>;

let rows = 0;

/** A row with what is required and what the test gives. */
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

/** Of the values, those that have a meaning for the kind. */
export const meantFor = (kind: Kind, values: FileRow): FileRow =>
  Object.fromEntries(
    (FIELDS as readonly Field[]).flatMap((field) =>
      field.name in values && hasMeaningFor(field, kind)
        ? [[field.name, values[field.name] ?? null]]
        : [],
    ),
  );

/** One JSON text a line. */
export const ndjson = (all: readonly FileRow[]): string =>
  all.map((row) => `${JSON.stringify(row)}\n`).join('');
