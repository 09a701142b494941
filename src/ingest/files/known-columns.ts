/** Compares the columns of a file with the fields of a transaction. */

import { suggestionFor } from '../../contract/query/suggestion.ts';
import { FIELDS, STORED_FIELDS } from '../../contract/record/fields.ts';
import { ImportRefused } from '../import-refused.ts';

/** All columns that a file may have: the type, and the fields of the administrator's record. */
export const KNOWN_COLUMNS: readonly string[] = ['type', ...FIELDS.map(({ name }) => name)];

/** Error texts for columns. */
export const columnFaults = {
  unknown: (name: string) => `unknown column "${name}".${suggestionFor(name, KNOWN_COLUMNS)}`,
  repeated: (name: string) => `column "${name}" occurs more than once.`,
  noColumn: (name: string, there: readonly string[]) =>
    `the mapping uses the column "${name}", which does not exist.${suggestionFor(name, there)}`,
};

/** The required columns that are not among those named. */
export function missingColumns(named: readonly string[], typeGiven: boolean): readonly string[] {
  const required = STORED_FIELDS.filter((field) => field.required).map(({ name }) => name);
  return ['type', ...required].filter(
    (name) => !named.includes(name) && !(name === 'type' && typeGiven),
  );
}

/** Refuses unknown, repeated and missing columns; `type` may come from the command instead. */
export function checkColumns(file: string, columns: readonly string[], typeGiven: boolean): void {
  const nameless = columns.flatMap((name, at) => (name === '' ? [at + 1] : []));
  const unknown = columns.filter((name) => name !== '' && !KNOWN_COLUMNS.includes(name));
  const repeated = columns.filter((name, at) => name !== '' && columns.indexOf(name) < at);
  const missing = missingColumns(columns, typeGiven);
  const faults = [
    ...nameless.map((number) => `column ${number} has no name.`),
    ...unknown.map(columnFaults.unknown),
    ...[...new Set(repeated)].map(columnFaults.repeated),
    ...missing.map((name) => `column "${name}" is missing.${adviceFor(name)}`),
  ];
  if (faults.length > 0) throw new ImportRefused(`${file}: ${faults.join('\n  ')}`);
}

const adviceFor = (name: string): string =>
  name === 'type' ? ' Add it, or name the type of all rows: --type sales.' : '';
