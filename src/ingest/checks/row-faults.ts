/** Queries over numbered rows: which are faulty, in which line and column, and why. */

import * as v from 'valibot';
import { INTEGER } from '../../plan/select.ts';
import { literal } from '../../plan/sql.ts';
import type { FileTable } from '../files/file-table.ts';
import { COLUMNS_OF, KEY_COLUMN, KNOWN_COLUMNS } from '../files/known-columns.ts';
import { codeChecks, codeColumns, mappedColumns } from '../files/mapping.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { Staging } from '../staging/staging.ts';
import { REASON_NAMES, REASONS, type Reason } from './reasons.ts';
import type { RowShape } from './row-shape.ts';
import type { TextColumns } from './text-columns.ts';

/** The rows of one file in the staging table of numbered rows. */
export interface NumberedRows {
  readonly staging: Staging;
  /** The index of the file in the import. */
  readonly file: number;
  readonly source: SourceFile;
  readonly table: FileTable;
  readonly shape: RowShape;
}

/** The SQL expression of each field's text in numbered rows. */
export const cellTexts = ({ table, source }: NumberedRows): TextColumns =>
  mappedColumns(cellsByColumn(table), source);

/** The SQL expression of each cell, by the name of its column in the source. */
const cellsByColumn = ({ cellColumns }: FileTable): TextColumns =>
  new Map(cellColumns.map((name, at) => [name, `cells[${at + 1}]`]));

/** Rows with their fields as text, and with `faults`, an array of (column, reason, value). */
function rowsWithFaults(numbered: NumberedRows): string {
  const { staging, file, source, table, shape } = numbered;
  const texts = cellTexts(numbered);
  const columns = [
    ...shape.normalised(texts),
    ...codeColumns(cellsByColumn(table), source.mapping),
  ];
  const checks = [...codeChecks(source.mapping), ...shape.checks(texts, staging)];
  const byColumn = Map.groupBy(checks, ({ column }) => column);
  const columnNames = [...byColumn.keys()];
  const reasons = [...byColumn.values()].map((own) => {
    const cases = own.map(({ condition, reason }) => `${condition}, '${reason}'`);
    return `multiIf(${cases.join(', ')}, '')`;
  });
  const found = `arrayZip([${columnNames.map(literal).join(', ')}],
  [${reasons.join(',\n  ')}],
  [${columnNames.join(', ')}])`;
  const broken = "arrayZip([fault_column], [fault_reason], [if(fault_column = '', cells[1], '')])";
  return `SELECT *, arrayFilter(fault -> fault.2 != '', if(fault_reason != '', ${broken}, ${found})) AS faults
FROM (SELECT line, cells, fault_column, fault_reason, ${columns.join(', ')} FROM ${staging.rows} WHERE file = ${file})`;
}

export const validRowsSql = (numbered: NumberedRows): string =>
  `SELECT * FROM (${rowsWithFaults(numbered)}) WHERE empty(faults)`;

/** A fault that a report lists. */
export interface FirstFault {
  readonly line: number;
  readonly key: string;
  readonly column: string;
  readonly reason: Reason;
  readonly value: string;
}

/**
 * Counts the rows, the faulty rows and the occurrences of each reason, and lists the first faults, ordered by line
 * and then by field. One statement, because the engine takes longer to plan it than to read a small file.
 */
export const faultsSql = (numbered: NumberedRows, limit: number): string =>
  `SELECT count() AS rows, countIf(notEmpty(faults)) AS faulty,
  sumMap(arrayMap(fault -> fault.2, faults), arrayMap(fault -> 1, faults)) AS reasons,
  groupArraySortedArray(${limit})(arrayMap((fault, place) -> (line, place, ${KEY_COLUMN[numbered.shape.rows]},
    fault.1, fault.2, substringUTF8(toValidUTF8(fault.3), 1, 60)), faults, arrayEnumerate(faults))) AS first
FROM (${rowsWithFaults(numbered)})`;

const REASON = v.picklist(REASON_NAMES);

/** The row that {@link faultsSql} returns. `reasons` has a list of reasons, and a list of their counts. */
export const FAULTS = v.object({
  rows: INTEGER,
  faulty: INTEGER,
  reasons: v.tuple([v.array(REASON), v.array(INTEGER)]),
  first: v.array(
    v.pipe(
      v.tuple([INTEGER, INTEGER, v.string(), v.string(), REASON, v.string()]),
      v.transform(
        ([line, , key, column, reason, value]): FirstFault => ({
          line,
          key,
          column,
          reason,
          value,
        }),
      ),
    ),
  ),
});

const CODES = Object.keys(REASONS).map(literal).join(', ');
const TEXTS = Object.values(REASONS).map(literal).join(', ');

const REASONS_TEXT = `arrayStringConcat(arrayMap(
  fault -> trimLeft(concat(fault.1, ' ', transform(fault.2, [${CODES}], [${TEXTS}]))), faults), '; ')`;

const quotedCell = (text: string): string => `concat('"', replaceAll(${text}, '"', '""'), '"')`;

/** The columns of rejected transactions; `row` has the text of a row that could not be split into cells. */
export const REJECTED_COLUMNS: readonly string[] = [
  'file',
  'line',
  'reasons',
  ...KNOWN_COLUMNS,
  'row',
];

/** The rejected rows as CSV (RFC 4180), with their original values. */
export function rejectedRowsSql(numbered: NumberedRows): string {
  const columns = cellTexts(numbered);
  const { key } = numbered.source;
  const readable = (text: string) => `if(fault_reason = '', ${text}, '')`;
  const cells = [
    literal(numbered.source.name),
    key === undefined
      ? 'toString(line)'
      : `concat(${literal(`${key}=`)}, ${KEY_COLUMN[numbered.shape.rows]})`,
    REASONS_TEXT,
    ...COLUMNS_OF[numbered.shape.rows].map((name) => readable(columns.get(name) ?? "''")),
    "if(fault_reason = '', '', cells[1])",
  ].map(quotedCell);
  return `SELECT concat(arrayStringConcat([${cells.join(',\n  ')}], ','), '\\r\\n')
FROM (${rowsWithFaults(numbered)}) WHERE notEmpty(faults) ORDER BY line`;
}
