/** SQL predicates that select the rows of a list or a summary. */

import type { Scope } from '../auth/principal.ts';
import { assertNever } from '../contract/assert-never.ts';
import { FIELD_NAMED } from '../contract/record/fields.ts';
import type { Kind } from '../contract/record/kinds.ts';
import { VALIDATED } from '../contract/record/statuses.ts';
import type { Filter, Selection } from './list-plan.ts';
import { BY_PROGRAM, projectionTable, TABLE_OF } from './report-table.ts';
import { bind, join, raw, type Sql, sql } from './sql.ts';

/** Selects the rows of a selection, with the help of a projection if one stores these rows together. */
export const selectionPredicate = (
  selection: Selection,
  kinds: readonly Kind[],
  table: string,
): Sql =>
  join(
    [rowPredicate(selection, kinds, table), ...projectionPredicate(selection, kinds, table)],
    ' AND ',
  );

/** Selects the rows of a selection by conditions on their own columns, without a projection. */
export const rowPredicate = (selection: Selection, kinds: readonly Kind[], table: string): Sql =>
  join(
    [
      kindPredicate(kinds),
      ...scopePredicate('publisher_id', selection.publisherIds),
      ...periodPredicate(selection),
      ...scopePredicate('program_id', selection.programIds),
      ...selection.filters.map(filterPredicate),
      ...(table === BY_PROGRAM ? [raw('NOT has_left')] : []),
    ],
    ' AND ',
  );

function kindPredicate(kinds: readonly Kind[]): Sql {
  const [only, ...others] = kinds;
  if (only !== undefined && others.length === 0) return sql`type = ${bind('String', only)}`;
  return sql`type IN ${bind('Array(String)', kinds)}`;
}

function periodPredicate({ dateField, from, until }: Selection): readonly Sql[] {
  const date = raw(dateField);
  return [
    // Rows that are not validated may still have a date of validation, which readers do not see.
    ...(dateField === 'validation_date' ? [raw(`status = ${VALIDATED}`)] : []),
    sql`${date} >= toDateTime(${bind('UInt32', from)})`,
    sql`${date} < toDateTime(${bind('UInt32', until)})`,
  ];
}

export function scopePredicate(column: 'publisher_id' | 'program_id', scope: Scope): Sql[] {
  if (scope === 'all') return [];
  return [equalsAny(raw(column), 'UInt64', scope)];
}

function equalsAny(column: Sql, type: string, values: readonly number[] | readonly string[]): Sql {
  const [only, ...others] = values;
  if (only !== undefined && others.length === 0) return sql`${column} = ${bind(type, only)}`;
  return sql`${column} IN ${bind(`Array(${type})`, values)}`;
}

function filterPredicate({ field, values, excludes }: Filter): Sql {
  const isAmong = valuesPredicate(field, values);
  // A null value equals none of the given values, so excluding them keeps it.
  return excludes ? sql`NOT ifNull(${isAmong}, 0)` : isAmong;
}

function valuesPredicate(field: Filter['field'], values: Filter['values']): Sql {
  const column = raw(field);
  const { type } = FIELD_NAMED[field];
  switch (type) {
    case 'status':
      return equalsAny(column, 'UInt8', values.map(Number));
    case 'integer':
      return equalsAny(column, 'UInt64', values);
    case 'text':
    case 'word':
    case 'country':
      return equalsAny(column, 'String', values);
    default:
      return assertNever(type);
  }
}

/**
 * Restricts the rows to keys from the projection that stores the selected rows together, so that the
 * engine skips the other rows of the main table.
 */
function projectionPredicate(selection: Selection, kinds: readonly Kind[], table: string): Sql[] {
  const narrow = projectionTable(selection);
  if (narrow === undefined || table !== TABLE_OF.admin) return [];
  const { publisherIds, programIds, dateField } = selection;
  const conditions = join(
    [
      kindPredicate(kinds),
      ...scopePredicate('publisher_id', publisherIds),
      ...(dateField === 'validation_date' ? [] : periodPredicate(selection)),
      ...scopePredicate('program_id', programIds),
      ...(narrow === BY_PROGRAM ? [raw('NOT has_left')] : []),
    ],
    ' AND ',
  );
  return [
    sql`(created_at, transaction_id) GLOBAL IN (SELECT created_at, transaction_id FROM ${raw(narrow)} FINAL WHERE ${conditions})`,
  ];
}
