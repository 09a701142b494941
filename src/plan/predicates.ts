/** The conditions that a selection puts on the rows of a table. */

import type { Scope } from '../auth/principal.ts';
import { assertNever } from '../contract/assert-never.ts';
import { FIELD_NAMED } from '../contract/record/fields.ts';
import type { Kind } from '../contract/record/kinds.ts';
import { VALIDATED } from '../contract/record/statuses.ts';
import type { Filter, Selection } from './report-plan.ts';
import { BY_PROGRAM, narrowTable, TABLE_OF } from './report-table.ts';
import { bind, join, raw, type Sql, sql } from './sql.ts';

/** Which rows of a table are meant, as one condition that finds them quickly. */
export const selected = (selection: Selection, kinds: readonly Kind[], table: string): Sql =>
  join([meant(selection, kinds, table), ...amongNarrow(selection, kinds, table)], ' AND ');

/** Which rows of a table are meant, by what they hold themselves. */
export const meant = (selection: Selection, kinds: readonly Kind[], table: string): Sql =>
  join(
    [
      ofKinds(kinds),
      ...within('publisher_id', selection.publisherIds),
      ...inPeriod(selection),
      ...within('program_id', selection.programIds),
      ...selection.filters.map(matching),
      ...(table === BY_PROGRAM ? [raw('NOT has_left')] : []),
    ],
    ' AND ',
  );

function ofKinds(kinds: readonly Kind[]): Sql {
  const [only, ...others] = kinds;
  if (only !== undefined && others.length === 0) return sql`type = ${bind('String', only)}`;
  return sql`type IN ${bind('Array(String)', kinds)}`;
}

function inPeriod({ dateField, from, until }: Selection): readonly Sql[] {
  const date = raw(dateField);
  return [
    // A date of validation has a meaning only there.
    ...(dateField === 'validation_date' ? [raw(`status = ${VALIDATED}`)] : []),
    sql`${date} >= toDateTime(${bind('UInt32', from)})`,
    sql`${date} < toDateTime(${bind('UInt32', until)})`,
  ];
}

export function within(column: 'publisher_id' | 'program_id', scope: Scope): Sql[] {
  if (scope === 'all') return [];
  return [among(raw(column), 'UInt64', scope)];
}

function among(column: Sql, type: string, values: readonly number[] | readonly string[]): Sql {
  const [only, ...others] = values;
  if (only !== undefined && others.length === 0) return sql`${column} = ${bind(type, only)}`;
  return sql`${column} IN ${bind(`Array(${type})`, values)}`;
}

function matching({ field, values }: Filter): Sql {
  const column = raw(field);
  const { type } = FIELD_NAMED[field];
  switch (type) {
    case 'status':
      return among(column, 'UInt8', values.map(Number));
    case 'integer':
      return among(column, 'UInt64', values);
    case 'text':
    case 'word':
    case 'country':
      return among(column, 'String', values);
    default:
      return assertNever(type);
  }
}

/**
 * Where the rows lie apart in the table: only those whose keys are in the one in which they lie
 * together, so that the others are not read.
 */
function amongNarrow(selection: Selection, kinds: readonly Kind[], table: string): Sql[] {
  const narrow = narrowTable(selection);
  if (narrow === undefined || table !== TABLE_OF.admin) return [];
  const { publisherIds, programIds, dateField } = selection;
  const conditions = join(
    [
      ofKinds(kinds),
      ...within('publisher_id', publisherIds),
      ...(dateField === 'validation_date' ? [] : inPeriod(selection)),
      ...within('program_id', programIds),
      ...(narrow === BY_PROGRAM ? [raw('NOT has_left')] : []),
    ],
    ' AND ',
  );
  return [
    sql`(created_at, transaction_id) GLOBAL IN (SELECT created_at, transaction_id FROM ${raw(narrow)} FINAL WHERE ${conditions})`,
  ];
}
