/** Maps the columns and codes of a source to the fields of transactions, or of entries of the directory. */

import type { StatusCode } from '../../contract/record/statuses.ts';
import { literal } from '../../plan/sql.ts';
import type { Check } from '../checks/check.ts';
import { dateInTimeZone } from '../checks/date-checks.ts';
import { emptyIfNull, type TextColumns } from '../checks/text-columns.ts';
import { PLAIN, type ValueDialect } from '../dialect/dialect.ts';
import { plainColumns, plainText } from '../dialect/value-texts.ts';
import { ImportRefused } from '../import-refused.ts';
import { columnFaults, KNOWN_COLUMNS, STORED_TYPES } from './known-columns.ts';

/** Where a field comes from: a column, whose codes may be translated, or one value for all rows. */
export type MappedField =
  | {
      readonly from: string;
      readonly codes?: Readonly<Record<string, string>> | undefined;
      /** The field is null unless the transaction has this status. */
      readonly whenStatus?: StatusCode | undefined;
    }
  | { readonly value: string };

export interface Mapping {
  /** By field name; fields that are not listed are null. */
  readonly fields: Readonly<Record<string, MappedField>>;
  /** The time zone of dates without an offset, if it is not the platform's. */
  readonly timeZone?: string | undefined;
}

/** The columns of the source that a mapping uses, each once. */
export const usedColumns = ({ fields }: Mapping): readonly string[] => [
  ...new Set(Object.values(fields).flatMap((field) => ('from' in field ? [field.from] : []))),
];

/** A field, and the column that it is copied from. */
export interface CopiedField {
  readonly name: string;
  readonly column: string;
}

/**
 * The fields that are copied from columns, without those whose codes are translated. Without a mapping, each of the
 * columns is the field of the same name.
 */
export const copiedFields = (
  mapping: Mapping | undefined,
  columns: readonly string[] = KNOWN_COLUMNS,
): readonly CopiedField[] =>
  mapping === undefined
    ? columns.map((name) => ({ name, column: name }))
    : Object.entries(mapping.fields).flatMap(([name, field]) =>
        'from' in field && !field.codes ? [{ name, column: field.from }] : [],
      );

/** The columns of decimal fields. */
export const decimalColumns = (mapping: Mapping | undefined): readonly string[] =>
  copiedFields(mapping).flatMap(({ name, column }) =>
    STORED_TYPES.get(name) === 'decimal' ? [column] : [],
  );

/** Refuses a file that lacks a column of the mapping or has it twice. */
export function checkMapped(file: string, columns: readonly string[], mapping: Mapping): void {
  const taken = usedColumns(mapping);
  const faults = [
    ...taken
      .filter((name) => !columns.includes(name))
      .map((name) => columnFaults.noColumn(name, columns)),
    ...taken
      .filter((name) => columns.indexOf(name) !== columns.lastIndexOf(name))
      .map(columnFaults.repeated),
  ];
  if (faults.length > 0) throw new ImportRefused(`${file}: ${faults.join('\n  ')}`);
}

type Coded = readonly [name: string, from: string, codes: readonly (readonly [string, string])[]];

const codedFields = ({ fields }: Mapping): readonly Coded[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    'from' in field && field.codes ? [[name, field.from, Object.entries(field.codes)]] : [],
  );

/** What is known of the columns of a file. */
interface Written {
  readonly mapping?: Mapping | undefined;
  readonly dialect?: ValueDialect | undefined;
}

/** The SQL expression of each field's text. Without a mapping, each column is the field of the same name. */
export function mappedColumns(
  source: TextColumns,
  { mapping, dialect = PLAIN }: Written,
): TextColumns {
  if (mapping === undefined) return plainColumns(source, dialect);
  const { fields, timeZone } = mapping;
  const columns = Object.entries(fields).map(([name, field]) => {
    const text = mappedText(name, field, source, dialect);
    const isShifted = timeZone !== undefined && STORED_TYPES.get(name) === 'date';
    return [name, isShifted ? dateInTimeZone(text, timeZone) : text] as const;
  });
  return withConditions(new Map(columns), mapping);
}

/** The SQL expression of a field's text, before dates are converted to UTC. */
function mappedText(
  name: string,
  field: MappedField,
  source: TextColumns,
  dialect: ValueDialect,
): string {
  if ('value' in field) return literal(field.value);
  const written = source.get(field.from) ?? "''";
  return field.codes
    ? translated(written, Object.entries(field.codes))
    : plainText(name, written, dialect, field.from);
}

/** Empties each field with `whenStatus` if the transaction has another status. */
function withConditions(texts: TextColumns, { fields }: Mapping): TextColumns {
  const status = texts.get('status') ?? "''";
  const columns = [...texts].map(([name, text]) => {
    const field = fields[name];
    if (field === undefined || !('from' in field) || field.whenStatus === undefined) {
      return [name, text] as const;
    }
    return [name, `if(${status} = '${field.whenStatus}', ${text}, '')`] as const;
  });
  return new Map(columns);
}

const listed = (texts: readonly string[]): string => `[${texts.map(literal).join(', ')}]`;

/** A code that the mapping does not list stays unchanged, so that the report can show it. */
function translated(text: string, codes: readonly (readonly [string, string])[]): string {
  const code = emptyIfNull(text);
  const [from, to] = [codes.map(([theirs]) => theirs), codes.map(([, ours]) => ours)];
  return `transform(${code}, ${listed(from)}, ${listed(to)}, ${code})`;
}

/** Extra columns with the original codes. */
export const codeColumns = (
  source: TextColumns,
  mapping: Mapping | undefined,
): readonly string[] =>
  mapping === undefined
    ? []
    : codedFields(mapping).map(
        ([name, from]) => `${emptyIfNull(source.get(from) ?? "''")} AS ${name}_code`,
      );

/** Refuses unlisted codes, even if they happen to be valid values of the field. */
export const codeChecks = (mapping: Mapping | undefined): readonly Check[] =>
  mapping === undefined
    ? []
    : codedFields(mapping).map(([column, , codes]) => ({
        column,
        reason: 'unmapped_code',
        condition: `${column}_code NOT IN (${['', ...codes.map(([theirs]) => theirs)].map(literal).join(', ')})`,
      }));
