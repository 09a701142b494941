/** Suggests a mapping for a CSV file, from the names of its columns and the values of its first rows. */

import { DIRECTORY_FIELDS } from '../../contract/record/directory.ts';
import { type Field, type FieldType, STORED_FIELDS } from '../../contract/record/fields.ts';
import { type ExpectedRows, type FileSubject, missingColumns } from '../files/known-columns.ts';
import type { MappedField, Mapping } from '../files/mapping.ts';
import { COLUMN_NAMES, plainName } from './column-names.ts';
import { isCoded, meaningOf } from './known-codes.ts';
import { fitsType, isNull } from './value-fit.ts';

/** A column with its different values in the sample. */
export interface SampledColumn {
  readonly name: string;
  readonly values: readonly string[];
}

export interface Suggestion {
  readonly mapping: Mapping;
  /** The columns that no field uses. */
  readonly unused: readonly string[];
  /** The required fields without a column. Validated transactions require `validation_date`. */
  readonly missing: readonly string[];
  /** Texts for the user, such as about a column whose values do not fit the field that its name suggests. */
  readonly doubts: readonly string[];
}

interface Candidate {
  readonly name: string;
  readonly type: FieldType;
  readonly required?: true;
}

const FIELDS: { readonly [rows in FileSubject]: readonly Candidate[] } = {
  transactions: [{ name: 'type', type: 'word' }, ...STORED_FIELDS],
  directory: DIRECTORY_FIELDS satisfies readonly Field[],
};

export function suggestMapping(
  columns: readonly SampledColumn[],
  expected: ExpectedRows,
): Suggestion {
  const fields: Record<string, MappedField> = {};
  const doubts: string[] = [];
  const used = new Set<string>();
  const take = (field: string, mapped: MappedField, column: string) => {
    fields[field] = mapped;
    used.add(column);
  };
  for (const field of FIELDS[expected.rows]) {
    if (field.name === 'type' && expected.typeGiven) continue;
    for (const column of columnsNamed(field.name, columns, expected.rows)) {
      const found = used.has(column.name) ? undefined : fieldOf(field, column, expected.rows);
      if (typeof found === 'string') doubts.push(found);
      else if (found !== undefined) {
        take(field.name, found, column.name);
        break;
      }
    }
  }
  const unused = columns.filter(({ name }) => !used.has(name));
  if (expected.rows === 'transactions') takeByValues(unused, fields, take);
  return {
    mapping: { fields: onlyValidated(fields) },
    unused: unused.map(({ name }) => name).filter((name) => !used.has(name)),
    missing: [...missingColumns(Object.keys(fields), expected), ...missingDate(fields)],
    doubts,
  };
}

/** The columns whose names suggest the field, the best first. */
function columnsNamed(field: string, columns: readonly SampledColumn[], rows: FileSubject) {
  const names = [plainName(field), ...(COLUMN_NAMES[rows][field] ?? [])];
  return names.flatMap((name) => columns.filter((column) => plainName(column.name) === name));
}

/** How the mapping fills the field from the column; the text of a doubt if the values do not fit. */
function fieldOf(
  { name, type, required }: Candidate,
  column: SampledColumn,
  rows: FileSubject,
): MappedField | string {
  const values = column.values.filter((text) => !isNull(text));
  if (required && values.length < column.values.length) {
    return `${name}: the column "${column.name}" has empty cells, but every row needs a value`;
  }
  if (rows === 'transactions' && isCoded(name)) return codedField(name, column.name, values);
  const wrong = values.find((text) => !fitsType(type, text));
  if (wrong === undefined) return { from: column.name };
  return `${name}: the column "${column.name}" has ${JSON.stringify(wrong)}, which is no ${type}`;
}

function codedField(name: string, column: string, values: readonly string[]): MappedField | string {
  const meanings = values.map((text) => [text, meaningOf(name, column, text)] as const);
  const codes = meanings.flatMap(([text, value]) => (value === undefined ? [] : [[text, value]]));
  const [unknown] = meanings.find(([, value]) => value === undefined) ?? [];
  if (unknown === undefined && codes.length > 0) {
    return { from: column, codes: Object.fromEntries(codes) };
  }
  const value =
    unknown === undefined
      ? 'has no values'
      : `has ${JSON.stringify(unknown)}, whose meaning is not known`;
  return `${name}: the column "${column}" ${value}`;
}

/** Finds fields by values instead of names: `status`, and `created_at` if there is only one column of dates. */
function takeByValues(
  unused: readonly SampledColumn[],
  fields: Fields,
  take: (field: string, mapped: MappedField, column: string) => void,
): void {
  const present = unused.map(({ name, values }) => ({
    name,
    values: values.filter((text) => !isNull(text)),
  }));
  const filled = present.filter(({ values }) => values.length > 0);
  for (const { name, values } of filled) {
    const status = fields.status === undefined ? codedField('status', name, values) : '';
    if (typeof status !== 'string') take('status', status, name);
  }
  const dates = filled.filter(({ values }) => values.every((text) => fitsType('date', text)));
  const [date, other] = dates;
  if (fields.created_at === undefined && date !== undefined && other === undefined) {
    take('created_at', { from: date.name }, date.name);
  }
}

/** Validated transactions need a date of validation, which exports of some networks, such as CJ, do not have. */
function missingDate({ status, validation_date: date }: Fields): readonly string[] {
  const isValidated =
    status !== undefined && 'from' in status && Object.values(status.codes ?? {}).includes('1');
  return isValidated && date === undefined ? ['validation_date'] : [];
}

type Fields = Readonly<Record<string, MappedField>>;

/** Takes the date of validation of validated transactions only: networks write one for refused ones too. */
function onlyValidated(fields: Fields): Fields {
  const { validation_date: date, status } = fields;
  if (date === undefined || !('from' in date) || status === undefined) return fields;
  return { ...fields, validation_date: { ...date, whenStatus: '1' } };
}
