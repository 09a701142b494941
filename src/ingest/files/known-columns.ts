/** Compares the columns of a file with the fields of a transaction, or of an entry of the directory. */

import { suggestionFor } from '../../contract/query/suggestion.ts';
import { DIRECTORY_FIELDS } from '../../contract/record/directory.ts';
import {
  FIELDS,
  type Field,
  STORED_FIELDS,
  type StoredType,
} from '../../contract/record/fields.ts';
import { ImportRefused } from '../import-refused.ts';

export const FILE_SUBJECTS = ['transactions', 'directory'] as const;

/** What the rows of a file are. */
export type FileSubject = (typeof FILE_SUBJECTS)[number];

/** All columns that a file of transactions may have: the type, and the fields of the administrator's record. */
export const KNOWN_COLUMNS: readonly string[] = ['type', ...FIELDS.map(({ name }) => name)];

export const COLUMNS_OF: { readonly [rows in FileSubject]: readonly string[] } = {
  transactions: KNOWN_COLUMNS,
  directory: DIRECTORY_FIELDS.map(({ name }) => name),
};

/** The columns that a mapping may fill. */
export const MAPPABLE_COLUMNS: { readonly [rows in FileSubject]: readonly string[] } = {
  transactions: ['type', ...STORED_FIELDS.map(({ name }) => name)],
  directory: COLUMNS_OF.directory,
};

/** The column that identifies a row. */
export const KEY_COLUMN: { readonly [rows in FileSubject]: string } = {
  transactions: 'transaction_id',
  directory: 'id',
};

/** The type of each field that a transaction stores. */
export const STORED_TYPES: ReadonlyMap<string, StoredType> = new Map(
  STORED_FIELDS.map(({ name, type }) => [name, type]),
);

const namesOfRequired = (fields: readonly Field[]): readonly string[] =>
  fields.filter(({ required }) => required).map(({ name }) => name);

const REQUIRED_COLUMNS: { readonly [rows in FileSubject]: readonly string[] } = {
  transactions: ['type', ...namesOfRequired(STORED_FIELDS)],
  directory: namesOfRequired(DIRECTORY_FIELDS),
};

/** What the command expects of the rows of a file. */
export interface ExpectedRows {
  readonly rows: FileSubject;
  /** Whether the command names the type of all transactions. */
  readonly typeGiven: boolean;
}

/** Error texts for columns. */
export const columnFaults = {
  unknown: (name: string, known: readonly string[]) =>
    `unknown column "${name}".${suggestionFor(name, known)}`,
  repeated: (name: string) => `column "${name}" occurs more than once.`,
  noColumn: (name: string, there: readonly string[]) =>
    `the mapping uses the column "${name}", which does not exist.${suggestionFor(name, there)}`,
};

/** The required columns that are not among those named. */
export const missingColumns = (
  named: readonly string[],
  { rows, typeGiven }: ExpectedRows,
): readonly string[] =>
  REQUIRED_COLUMNS[rows].filter((name) => !named.includes(name) && !(name === 'type' && typeGiven));

/** Refuses unknown, repeated and missing columns; `type` may come from the command instead. */
export function checkColumns(
  file: string,
  columns: readonly string[],
  expected: ExpectedRows,
): void {
  const known = COLUMNS_OF[expected.rows];
  const nameless = columns.flatMap((name, at) => (name === '' ? [at + 1] : []));
  const unknown = columns.filter((name) => name !== '' && !known.includes(name));
  const repeated = columns.filter((name, at) => name !== '' && columns.indexOf(name) < at);
  const missing = missingColumns(columns, expected);
  const faults = [
    ...nameless.map((number) => `column ${number} has no name.`),
    ...unknown.map((name) => columnFaults.unknown(name, known)),
    ...[...new Set(repeated)].map(columnFaults.repeated),
    ...missing.map((name) => `column "${name}" is missing.${adviceFor(name)}`),
  ];
  if (unknown.length > 0 || missing.length > 0)
    faults.push(`A file may have these columns: ${known.join(', ')}.`);
  if (unknown.length > 0) faults.push(SUGGEST);
  if (faults.length > 0) throw new ImportRefused(`${file}: ${faults.join('\n  ')}`);
}

const SUGGEST =
  'To map the columns to fields, first create a mapping with --suggest-mapping FILE, then import with --mapping FILE';

const adviceFor = (name: string): string =>
  name === 'type' ? ' Add it, or name the type of all rows: --type sales.' : '';
