/** Queries over numbered rows: which are faulty, in which line and column, and why. */

import * as v from 'valibot';
import { INTEGER } from '../../plan/select.ts';
import { literal } from '../../plan/sql.ts';
import type { FileTable } from '../files/file-table.ts';
import { COLUMNS_OF, KEY_COLUMN, KNOWN_COLUMNS } from '../files/known-columns.ts';
import { codeChecks, codeColumns, mappedColumns } from '../files/mapping.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { Staging } from '../staging/staging.ts';
import { REASON_NAMES, REASONS } from './reasons.ts';
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

/** The row that {@link firstFaultsSql} returns. */
export const FIRST_FAULT = v.object({
  line: INTEGER,
  key: v.string(),
  column: v.string(),
  reason: v.picklist(REASON_NAMES),
  value: v.string(),
});

export type FirstFault = v.InferOutput<typeof FIRST_FAULT>;

/** The first faults of a file, ordered by line and then by field. */
export const firstFaultsSql = (numbered: NumberedRows, limit: number): string =>
  `SELECT line, ${KEY_COLUMN[numbered.shape.rows]} AS key, fault.1 AS column, fault.2 AS reason, substringUTF8(toValidUTF8(fault.3), 1, 60) AS value
FROM (${rowsWithFaults(numbered)}) ARRAY JOIN faults AS fault, arrayEnumerate(faults) AS place
ORDER BY line, place LIMIT ${limit}`;

/** Counts the rows, the faulty rows and the occurrences of each reason. */
export const faultCountsSql = (numbered: NumberedRows): string =>
  `SELECT count() AS rows, countIf(notEmpty(faults)) AS faulty,
  sumMap(arrayMap(fault -> fault.2, faults), arrayMap(fault -> 1, faults)) AS reasons
FROM (${rowsWithFaults(numbered)})`;

/** The row that {@link faultCountsSql} returns. `reasons` has a list of reasons, and a list of their counts. */
export const FAULT_COUNTS = v.object({
  rows: INTEGER,
  faulty: INTEGER,
  reasons: v.tuple([v.array(v.picklist(REASON_NAMES)), v.array(INTEGER)]),
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
