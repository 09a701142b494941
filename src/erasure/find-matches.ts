/**
 * Finds the transactions of a person in every table.
 *
 * Older versions count, too: until parts are merged, a table has versions that no reader sees. The
 * tables are merged independently of each other, so each one is searched.
 */

import * as v from 'valibot';
import { FIELD_NAMED } from '../contract/record/fields.ts';
import { KINDS } from '../contract/record/kinds.ts';
import type { Reader } from '../engine/engine.ts';
import { TABLE_OF } from '../plan/report-table.ts';
import { INTEGER, select } from '../plan/select.ts';
import { bind, join, raw, type Sql, sql, statementOf } from '../plan/sql.ts';
import { PROJECTIONS } from '../schema/projections.ts';
import { canonicalText, type Selector, type SelectorField, selectorBatches } from './selectors.ts';

const MATCH = v.object({ type: v.picklist(KINDS), month: INTEGER, ids: v.array(INTEGER) });

/** The matching transactions of a type and a month, such as 202603. */
export type Match = v.InferOutput<typeof MATCH>;

/** The matches of all selectors, by month and type. */
export async function findMatches(
  reader: Reader,
  selectors: readonly Selector[],
): Promise<readonly Match[]> {
  const found: Match[] = [];
  for (const batch of selectorBatches(selectors)) {
    found.push(...(await matchesOf(reader, batch)));
  }
  const groups = Map.groupBy(found, ({ month, type }) => `${month} ${type}`);
  return [...groups.values()].flatMap(united).sort(byMonthAndType);
}

/** A transaction may match several selectors, whose values are in several batches. */
function united([first, ...others]: readonly Match[]): readonly Match[] {
  if (first === undefined) return [];
  const ids = new Set([first, ...others].flatMap((match) => match.ids));
  return [{ ...first, ids: [...ids].sort((one, other) => one - other) }];
}

const byMonthAndType = (one: Match, other: Match): number =>
  one.month - other.month || KINDS.indexOf(one.type) - KINDS.indexOf(other.type);

async function matchesOf(reader: Reader, batch: readonly Selector[]): Promise<readonly Match[]> {
  const found = SOURCES.flatMap((source) => matchesIn(source, batch));
  const text = sql`SELECT type, month, groupUniqArray(transaction_id) AS ids
FROM (${join(found, '\nUNION ALL\n')}) GROUP BY type, month`;
  return await reader.rows({ ...select(MATCH, statementOf(text)), isScan: true });
}

/** A table, and the SQL of a field's value in it. Undefined if the table is not searched by the field. */
interface Source {
  readonly table: string;
  readonly fieldIn: (field: SelectorField) => string | undefined;
}

const SOURCES: readonly Source[] = [
  { table: TABLE_OF.admin, fieldIn: (field) => field },
  // The administrators' table has every transaction, so the other tables need no search by identifier.
  {
    table: TABLE_OF.affiliate,
    fieldIn: (field) =>
      field !== 'transaction_id' && 'affiliate' in FIELD_NAMED[field] ? field : undefined,
  },
  ...PROJECTIONS.map(({ table }) => ({ table, fieldIn: valueInRecord })),
];

/** Projections have the field only in `record_head`: JSON up to the opening quote of the status label. */
function valueInRecord(field: SelectorField): string | undefined {
  if (field === 'transaction_id') return undefined;
  const record = `concat(record_head, '"}')`;
  return FIELD_NAMED[field].type === 'integer'
    ? `JSONExtractRaw(${record}, '${field}')`
    : `JSONExtractString(${record}, '${field}')`;
}

function matchesIn({ table, fieldIn }: Source, batch: readonly Selector[]): readonly Sql[] {
  const conditions = batch.flatMap(({ field, values }) => {
    const value = fieldIn(field);
    return value === undefined ? [] : [hasValue(field, value, values)];
  });
  if (conditions.length === 0) return [];
  return [
    sql`SELECT type, toYYYYMM(created_at) AS month, transaction_id FROM ${raw(table)} WHERE ${join(conditions, ' OR ')}`,
  ];
}

function hasValue(field: SelectorField, value: string, values: readonly string[]): Sql {
  // Compared as numbers and not as text, so that the index of identifiers skips most rows.
  if (field === 'transaction_id')
    return sql`transaction_id IN ${bind('Array(UInt64)', values.map(Number))}`;
  const wanted = raw(canonicalText(field, 'text'));
  return sql`ifNull(${raw(canonicalText(field, value))}, '') IN (SELECT ${wanted} FROM (SELECT arrayJoin(${bind('Array(String)', values)}) AS text))`;
}
