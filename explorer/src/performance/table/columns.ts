/** Columns of the performance table: measures and ratios of the API, all sortable. */

import type { Role } from '../../../../src/contract/record/records.ts';
import type { ResultRow } from '../../query/api-query.ts';
import type { LocaleFormats } from '../../ui/formats.ts';

interface ColumnLine {
  readonly name: string;
  readonly format: keyof typeof FORMATS;
  /** All by default. */
  readonly role?: Role;
}

const FORMATS = {
  count: (value: number, formats: LocaleFormats) => formats.count(value),
  money: (value: number, formats: LocaleFormats) => formats.roundedAmount(value),
  fine: (value: number, formats: LocaleFormats) => formats.fineAmount(value),
  rate: (value: number, formats: LocaleFormats) => formats.rate(value),
  share: (value: number, formats: LocaleFormats) => formats.share(value),
} as const;

/** The most important ones first: a narrow screen scrolls to the others. */
// biome-ignore format: one column a line
const COLUMNS = [
  { name: 'earnings', format: 'money' },
  { name: 'clics', format: 'count' },
  { name: 'conversion_rate', format: 'rate' },
  { name: 'earnings_per_click', format: 'fine' },
  { name: 'leads', format: 'count' },
  { name: 'sales', format: 'count' },
  { name: 'approval_rate', format: 'share' },
  { name: 'amount', format: 'money', role: 'admin' },
  { name: 'average_order_value', format: 'money', role: 'admin' },
] as const satisfies readonly ColumnLine[];

export type ColumnName = (typeof COLUMNS)[number]['name'];

export type Column = ColumnLine & { readonly name: ColumnName };

export const columnsOf = (role: Role): readonly Column[] =>
  COLUMNS.filter((column: Column) => column.role === undefined || column.role === role);

/** A ratio without anything to divide by is a dash. */
export function formatCell(
  row: ResultRow,
  { name, format }: Column,
  formats: LocaleFormats,
): string {
  const value = row[name];
  return value === null || value === undefined ? '–' : FORMATS[format](Number(value), formats);
}

/** The order of rows: a column, with `-` before it for the largest first. */
export type TableSort = ColumnName | `-${ColumnName}`;

export const tableSorts = (role: Role): readonly TableSort[] =>
  columnsOf(role).flatMap(({ name }): TableSort[] => [`-${name}`, name]);

/** Largest first, and smallest first on the second click. */
export const nextSort = (name: ColumnName, sort: TableSort): TableSort =>
  sort === `-${name}` ? name : `-${name}`;
