/** Columns of the list: the user's choice and order, limited to the fields of the kind. */

import { sortFieldOf } from '../../../src/contract/query/sorting/list-sorts.ts';
import { choosableFields, nameFieldOf } from '../../../src/contract/record/directory.ts';
import { appliesTo } from '../../../src/contract/record/fields.ts';
import {
  RECORD_FIELDS,
  type RecordField,
  type Role,
} from '../../../src/contract/record/records.ts';
import { summedFields } from '../../../src/contract/record/summary.ts';
import { usePreference } from '../layout/preferences.ts';
import type { View } from '../query/view.ts';
import { sortOfView } from './list-sort.ts';

export interface Columns {
  /** The chosen columns in the user's order, including those that the kind lacks. */
  readonly chosen: readonly string[];
  readonly shown: readonly RecordField[];
  /** The column that is shown only because the list is sorted by it. It is no choice of the user. */
  readonly forced: string | undefined;
  choose(names: readonly string[]): void;
  chooseStandard(): void;
}

export const standardColumns = (role: Role): readonly string[] => [
  'created_at',
  'status_label',
  // A narrow screen shows only the first columns, and affiliates look for their remuneration.
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

/** Inserts a column at its position in the standard order. */
export function withColumn(chosen: readonly string[], name: string, role: Role): readonly string[] {
  const standard = standardColumns(role);
  const later = standard.includes(name) ? standard.slice(standard.indexOf(name) + 1) : [];
  const at = chosen.findIndex((other) => later.includes(other));
  return at < 0 ? [...chosen, name] : chosen.toSpliced(at, 0, name);
}

/** Always includes the date of the period, and the column that the list is sorted by. */
export function useColumns(role: Role, view: View): Columns {
  const { kind, dateField } = view;
  const [text, remember] = usePreference(`columns.${role}`);
  const known = RECORD_FIELDS[role];
  const named = (text?.split(',') ?? []).filter((name) => known.some((one) => one.name === name));
  const wanted = named.length > 0 ? named : standardColumns(role);
  const dated = wanted.includes(dateField) ? wanted : [dateField, ...wanted];
  const sort = sortOfView(role, view);
  const isSorted = known.some(
    (column) => dated.includes(column.name) && sortFieldOf(column) === sort?.by,
  );
  const forced = isSorted ? undefined : sort?.by;
  const chosen = forced === undefined ? dated : withColumn(dated, forced, role);
  const shown = chosen.flatMap((name) =>
    known.filter((column) => column.name === name && appliesTo(column.field, kind)),
  );
  return {
    chosen,
    shown,
    forced,
    choose: (names) => remember(names.filter((name) => name !== forced).join(',')),
    chooseStandard: () => remember(standardColumns(role).join(',')),
  };
}

/** Fields that every row needs besides its columns. */
const REQUIRED_FIELDS = ['transaction_id', 'created_at', 'status'];

/** The fields to request, with names of identifiers. The order is fixed, so that moving a column loads nothing. */
export const fieldsFor = (role: Role, { shown }: Columns): string => {
  const names = [
    ...REQUIRED_FIELDS,
    ...shown.flatMap(({ name }) => [name, nameFieldOf(name)?.name ?? name]),
  ];
  return choosableFields(role)
    .map(({ name }) => name)
    .filter((name) => names.includes(name))
    .join(',');
};
