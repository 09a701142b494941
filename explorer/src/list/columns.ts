/** The columns of the list: which fields, in which order, as the reader has chosen and the kind has them. */

import { type Field, hasMeaningFor } from '../../../src/contract/fields.ts';
import { type Audience, RECORDS, type RecordField } from '../../../src/contract/records.ts';
import { summedFields } from '../../../src/contract/summary.ts';
import { usePreference } from '../preferences.ts';
import type { View } from '../view.ts';

export interface Columns {
  /** Those that are chosen, in the reader's order, also those that the kind lacks. */
  readonly chosen: readonly string[];
  readonly shown: readonly RecordField[];
  choose(names: readonly string[]): void;
}

export const standardColumns = (audience: Audience): readonly string[] => [
  'created_at',
  'status_label',
  'program_id',
  'publisher_id',
  ...summedFields(audience).map(({ name }) => name),
  'country',
  'device_type',
  'transaction_id',
];

/** The date that the list is in the order of is always among them. */
export function useColumns(audience: Audience, { kind, dateField }: View): Columns {
  const [text, remember] = usePreference(`columns.${audience}`);
  const known = RECORDS[audience];
  const named = (text?.split(',') ?? []).filter((name) => known.some((one) => one.name === name));
  const wanted = named.length > 0 ? named : standardColumns(audience);
  const chosen = wanted.includes(dateField) ? wanted : [dateField, ...wanted];
  const shown = chosen.flatMap((name) =>
    known.filter((column) => column.name === name && hasMeaningFor(column.field, kind)),
  );
  return { chosen, shown, choose: (names) => remember(names.join(',')) };
}

/** What every row is asked for besides its columns: what names it, dates it and colours it. */
const NEEDED = ['transaction_id', 'created_at', 'status'];

/** In the order of the record, so that moving a column asks for nothing anew. */
export const fieldsFor = (audience: Audience, { shown }: Columns): string => {
  const names = [...NEEDED, ...shown.map(({ name }) => name)];
  return RECORDS[audience]
    .map(({ name }) => name)
    .filter((name) => names.includes(name))
    .join(',');
};

// biome-ignore format: one line a type
const WIDTHS: Readonly<Record<Field['type'], number>> = {
  integer: 8, decimal: 9.5, text: 12, word: 8.5, address: 9.5, country: 10, date: 13, status: 6, status_label: 8.5,
};

/** In rem. */
export const widthOf = ({ field }: RecordField): number => WIDTHS[field.type];

export const isNumeric = ({ field }: RecordField): boolean =>
  field.type === 'decimal' || field.name === 'total';
