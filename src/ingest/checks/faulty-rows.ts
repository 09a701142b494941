/** Questions about rows that are kept with their lines: which are wrong, where and why. */

import * as v from 'valibot';
import { INTEGER } from '../../plan/select.ts';
import { literal } from '../../plan/sql.ts';
import type { FileTable } from '../files/file-table.ts';
import { KNOWN_COLUMNS } from '../files/known-columns.ts';
import { codeChecks, codeColumns, mappedColumns } from '../files/mapping.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { Staging } from '../staging/staging.ts';
import type { Check, CheckOptions } from './check.ts';
import { checksOf } from './checks.ts';
import { REASON_NAMES, REASONS } from './reasons.ts';
import { normalisedColumns, type TextColumns } from './text-columns.ts';

/** One file's kept rows. */
export interface KeptRows {
  readonly staging: Staging;
  /** The number of the file in the import. */
  readonly file: number;
  readonly source: SourceFile;
  readonly table: FileTable;
  readonly options: CheckOptions;
}

/** Where the text of each field is in kept rows. */
const keptTexts = ({ table, source }: KeptRows): TextColumns =>
  mappedColumns(keptColumns(table), source.mapping);

/** The columns of kept rows, as the source has them. */
const keptColumns = ({ kept }: FileTable): TextColumns =>
  new Map(kept.map((name, at) => [name, `cells[${at + 1}]`]));

/** Rows with their fields as text and `faults`, an array of (column, reason, value). */
function rowsWithFaults(kept: KeptRows): string {
  const { staging, file, source, table, options } = kept;
  const columns = [
    ...normalisedColumns(keptTexts(kept), options.type),
    ...codeColumns(keptColumns(table), source.mapping),
  ];
  const checks = [...codeChecks(source.mapping), ...checksOf(options), ...conflictChecks(staging)];
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

const conflictChecks = ({ conflicts }: Staging): readonly Check[] =>
  (['moved', 'ambiguous'] as const).map((reason) => ({
    column: 'transaction_id',
    reason,
    condition: `toUInt64OrZero(transaction_id) IN (SELECT transaction_id FROM ${conflicts} WHERE reason = '${reason}')`,
  }));

export const goodRows = (kept: KeptRows): string =>
  `SELECT * FROM (${rowsWithFaults(kept)}) WHERE empty(faults)`;

/** The row of {@link firstFaults}. */
export const FIRST_FAULT = v.object({
  line: INTEGER,
  key: v.string(),
  column: v.string(),
  reason: v.picklist(REASON_NAMES),
  value: v.string(),
});

export type FirstFault = v.InferOutput<typeof FIRST_FAULT>;

/** The first faults of a file, in the order of its lines and, within one, of the fields. */
export const firstFaults = (kept: KeptRows, limit: number): string =>
  `SELECT line, transaction_id AS key, fault.1 AS column, fault.2 AS reason, substringUTF8(toValidUTF8(fault.3), 1, 60) AS value
FROM (${rowsWithFaults(kept)}) ARRAY JOIN faults AS fault, arrayEnumerate(faults) AS place
ORDER BY line, place LIMIT ${limit}`;

/** How many rows there are, how many of them are wrong, and how often each reason occurs. */
export const faultCounts = (kept: KeptRows): string =>
  `SELECT count() AS rows, countIf(notEmpty(faults)) AS faulty,
  sumMap(arrayMap(fault -> fault.2, faults), arrayMap(fault -> 1, faults)) AS reasons
FROM (${rowsWithFaults(kept)})`;

/** The row of {@link faultCounts}: each reason, and at the same index how often it occurs. */
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

/** The columns in which wrong rows are handed over; `row` is a row that could not be read. */
export const REJECTED_COLUMNS: readonly string[] = [
  'file',
  'line',
  'reasons',
  ...KNOWN_COLUMNS,
  'row',
];

/** The wrong rows as CSV (RFC 4180), with their values as the file has them. */
export function rejectedRows(kept: KeptRows): string {
  const columns = keptTexts(kept);
  const { key } = kept.source;
  const readable = (text: string) => `if(fault_reason = '', ${text}, '')`;
  const cells = [
    literal(kept.source.name),
    key === undefined ? 'toString(line)' : `concat(${literal(`${key}=`)}, transaction_id)`,
    REASONS_TEXT,
    ...KNOWN_COLUMNS.map((name) => readable(columns.get(name) ?? "''")),
    "if(fault_reason = '', '', cells[1])",
  ].map(quotedCell);
  return `SELECT concat(arrayStringConcat([${cells.join(',\n  ')}], ','), '\\r\\n')
FROM (${rowsWithFaults(kept)}) WHERE notEmpty(faults) ORDER BY line`;
}
