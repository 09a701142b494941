/** The columns of the list: which fields, in which order, as the reader has chosen and the kind has them. */

import { hasMeaningFor } from '../../../src/contract/record/fields.ts';
import { RECORDS, type RecordField, type Role } from '../../../src/contract/record/records.ts';
import { SUMMED_FIELDS, summedFields } from '../../../src/contract/record/summary.ts';
import { usePreference } from '../layout/preferences.ts';
import type { View } from '../query/view.ts';

export interface Columns {
  /** Those that are chosen, in the reader's order, also those that the kind lacks. */
  readonly chosen: readonly string[];
  readonly shown: readonly RecordField[];
  choose(names: readonly string[]): void;
}

export const standardColumns = (role: Role): readonly string[] => [
  'created_at',
  'status_label',
  // Phones have room for three columns: that is the one that affiliates come for.
  ...(role === 'affiliate' ? ['remuneration'] : []),
  'program_id',
  'publisher_id',
  ...summedFields(role)
    .map(({ name }) => name)
    .filter((name) => name !== 'remuneration'),
  'country',
  'device_type',
  'transaction_id',
];

/** Puts a column where the standard order has it: before those that come after it there. */
export function withColumn(chosen: readonly string[], name: string, role: Role): readonly string[] {
  const standard = standardColumns(role);
  const later = standard.includes(name) ? standard.slice(standard.indexOf(name) + 1) : [];
  const at = chosen.findIndex((other) => later.includes(other));
  return at < 0 ? [...chosen, name] : chosen.toSpliced(at, 0, name);
}

/** The date that the list is in the order of is always among them. */
export function useColumns(role: Role, { kind, dateField }: View): Columns {
  const [text, remember] = usePreference(`columns.${role}`);
  const known = RECORDS[role];
  const named = (text?.split(',') ?? []).filter((name) => known.some((one) => one.name === name));
  const wanted = named.length > 0 ? named : standardColumns(role);
  const chosen = wanted.includes(dateField) ? wanted : [dateField, ...wanted];
  const shown = chosen.flatMap((name) =>
    known.filter((column) => column.name === name && hasMeaningFor(column.field, kind)),
  );
  return { chosen, shown, choose: (names) => remember(names.join(',')) };
}

/** What every row is asked for besides its columns: what names it, dates it and colours it. */
const NEEDED = ['transaction_id', 'created_at', 'status'];

/** In the order of the record, so that moving a column asks for nothing anew. */
export const fieldsFor = (role: Role, { shown }: Columns): string => {
  const names = [...NEEDED, ...shown.map(({ name }) => name)];
  return RECORDS[role]
    .map(({ name }) => name)
    .filter((name) => names.includes(name))
    .join(',');
};

const ADDED_UP: readonly string[] = SUMMED_FIELDS;

/** Other integers are identifiers. */
export const isNumeric = ({ field }: RecordField): boolean =>
  field.type === 'decimal' || ADDED_UP.includes(field.name);

/** The class of its cells. */
export function classOf(column: RecordField): string | undefined {
  if (isNumeric(column)) return 'number';
  return column.field.type === 'date' ? 'date' : undefined;
}
