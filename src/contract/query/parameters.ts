/** The tables of query parameters: what each means, and how its text is read. */

import type { FieldLine, FieldType } from '../record/fields.ts';
import { KINDS } from '../record/kinds.ts';
import { namesOf, type Role } from '../record/records.ts';
import { STATUS_LIST, STATUS_TEXTS } from '../record/statuses.ts';
import { FORMAT_NAMES, TEXT_FORMATS } from './formats.ts';
import { GROUPINGS, MAX_GROUPINGS } from './groupings.ts';
import {
  COUNTRY,
  CURSOR,
  integerUpTo,
  MAX_TEXT_LENGTH,
  oneOf,
  readCountries,
  readCursor,
  readDate,
  readIdentifiers,
  readText,
  sequenceOf,
  someOf,
} from './parameter-values.ts';

export interface Parameter<Value> {
  readonly required?: true;
  readonly meaning: string;
  readonly example: string;
  /** JSON Schema of the text, or of the items between its commas, for whoever may read these records. */
  readonly schema: Schema | ((role: Role) => Schema);
  /** The value of the text, which is never empty; throws an InvalidValue. */
  readonly read: (text: string, role: Role) => Value;
}

type Schema = Readonly<Record<string, unknown>>;

/** A parameter that selects the transactions whose field has one of its values. */
interface Filter<Type extends FieldType, Value> extends Parameter<readonly Value[]> {
  readonly filters: Extract<FieldLine, { type: Type }>['name'];
}

/** What is not a filter has its effect in the plan, by its name. */
type QuestionLine =
  | (Parameter<unknown> & { readonly filters?: never })
  | Filter<'integer', number>
  | Filter<'text' | 'word' | 'address' | 'country' | 'status', string>;

/** The dates by which a period is meant. */
export const DATE_FIELDS = ['created_at', 'updated_at', 'validation_date'] as const;

export type DateField = (typeof DATE_FIELDS)[number];

export const ORDERS = ['asc', 'desc'] as const;

export type Order = (typeof ORDERS)[number];

/** The most records of a page. */
export const MAX_PAGE_SIZE = 10_000;

const text = { type: 'string', minLength: 1, maxLength: MAX_TEXT_LENGTH } as const;
const date = { type: 'string', format: 'date' } as const;
const identifier = {
  type: 'integer',
  format: 'int64',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
} as const;
const country = { type: 'string', pattern: COUNTRY.source } as const;
const wordOf = (words: readonly string[]): Schema => ({ type: 'string', enum: words });
/** Of a text with commas between its items. */
const listOf = (items: Schema): Schema => ({ type: 'array', items, minItems: 1 });
/** Of words of which each has one place. */
const sequence = (words: readonly string[], most = words.length): Schema => ({
  ...listOf(wordOf(words)),
  maxItems: most,
  uniqueItems: true,
});

const CSV_VARIANT = {
  meaning: 'excel: CSV as spreadsheets open it, with semicolons, and nothing taken for a formula',
  example: 'excel',
  schema: wordOf(['excel']),
  read: oneOf(['excel']),
} as const;

/** What a list and a summary are both asked by. */
// biome-ignore format: one parameter a line
const QUESTION = {
  start_date: { required: true, meaning: "First day of the period, in the platform's time zone", example: '2026-01-01', schema: date, read: readDate },
  end_date: { required: true, meaning: "Last day of the period, included, in the platform's time zone", example: '2026-01-31', schema: date, read: readDate },
  date_field: { meaning: 'The date that the period is about; created_at, which never changes, where it is not given. By another one, a record that changes while a list is read moves: in ascending order it comes again, in descending order it may be missed', example: 'updated_at', schema: wordOf(DATE_FIELDS), read: oneOf(DATE_FIELDS) },
  program_id: { meaning: 'Only this program, or these, separated by commas', example: '12', schema: listOf(identifier), read: readIdentifiers },
  publisher_id: { meaning: 'Only this publisher, or these, separated by commas; for affiliates: only this website, or these', example: '345', schema: listOf(identifier), read: readIdentifiers },
  status: { filters: 'status', meaning: `Only transactions of this status, or these, separated by commas: ${STATUS_LIST}`, example: '1,2', schema: listOf(wordOf(STATUS_TEXTS)), read: someOf(STATUS_TEXTS) },
  transaction_id: { filters: 'transaction_id', meaning: 'Only this transaction, or these, separated by commas', example: '1001', schema: listOf(identifier), read: readIdentifiers },
  clickid: { filters: 'clickid', meaning: 'Only transactions of this click', example: 'c0ffee', schema: text, read: readText },
  subid: { filters: 'subid', meaning: 'Only transactions with this secondary identifier', example: 'newsletter', schema: text, read: readText },
  country: { filters: 'country', meaning: 'Only this country, or these, separated by commas (ISO 3166-1 alpha-2)', example: 'FR,BE', schema: listOf(country), read: readCountries },
  device_type: { filters: 'device_type', meaning: 'Only this type of device', example: 'mobile', schema: text, read: readText },
} as const satisfies Record<string, QuestionLine>;

/** Of a list of transactions. */
// biome-ignore format: one parameter a line
export const PARAMETERS = {
  type: { required: true, meaning: 'Kind of transactions to list', example: 'sales', schema: wordOf(KINDS), read: oneOf(KINDS) },
  ...QUESTION,
  order: { meaning: 'By the date, then the transaction: asc (the oldest first) or desc; asc where it is not given', example: 'desc', schema: wordOf(ORDERS), read: oneOf(ORDERS) },
  fields: { meaning: 'Only these fields, each once, in this order, separated by commas', example: 'transaction_id,status', schema: (role) => sequence(namesOf(role)), read: (given, role) => sequenceOf(namesOf(role))(given) },
  limit: { meaning: `One page of at most so many records, 1 to ${MAX_PAGE_SIZE}; without it all of them`, example: '100', schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE }, read: integerUpTo(MAX_PAGE_SIZE) },
  cursor: { meaning: 'Where the page before ended: follow its link rel="next"', example: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', schema: { type: 'string', pattern: CURSOR.source }, read: readCursor },
  format: { meaning: 'The format, instead of the header Accept', example: 'csv', schema: wordOf(FORMAT_NAMES), read: oneOf(FORMAT_NAMES) },
  csv: CSV_VARIANT,
} as const satisfies Record<string, Parameter<unknown>>;

/** Of a summary. */
// biome-ignore format: one parameter a line
export const SUMMARY_PARAMETERS = {
  type: { required: true, meaning: 'Kind of transactions, or kinds, separated by commas', example: 'sales', schema: listOf(wordOf(KINDS)), read: someOf(KINDS) },
  ...QUESTION,
  group_by: { meaning: `One group for each of these, each once and up to ${MAX_GROUPINGS}, separated by commas; without it one for all`, example: 'day,status', schema: sequence(GROUPINGS, MAX_GROUPINGS), read: sequenceOf(GROUPINGS, MAX_GROUPINGS) },
  format: { meaning: 'The format, instead of the header Accept', example: 'csv', schema: wordOf(TEXT_FORMATS), read: oneOf(TEXT_FORMATS) },
  csv: CSV_VARIANT,
} as const satisfies Record<string, Parameter<unknown>>;

export type ParameterTable = Readonly<Record<string, Parameter<unknown>>>;

type QuestionName = keyof typeof QUESTION;

/** The parameters that compare a field with their values. */
export type FilterName = {
  [Name in QuestionName]: (typeof QUESTION)[Name] extends { filters: string } ? Name : never;
}[QuestionName];

export const FILTERS = (Object.keys(QUESTION) as QuestionName[]).filter(
  (name): name is FilterName => 'filters' in QUESTION[name],
);

export type FilteredField = (typeof QUESTION)[FilterName]['filters'];

/** The field that a filter compares with its values. */
export const filteredField = (name: FilterName): FilteredField => QUESTION[name].filters;

/** JSON Schema of a parameter's value. */
export const schemaOfParameter = ({ schema }: Parameter<unknown>, role: Role): Schema =>
  typeof schema === 'function' ? schema(role) : schema;

type NameIn<Table> = Extract<keyof Table, string>;

type RequiredNameIn<Table> = {
  [Name in NameIn<Table>]: Table[Name] extends { required: true } ? Name : never;
}[NameIn<Table>];

type ValueIn<Table, Name extends keyof Table> = Table[Name] extends {
  read: (...given: never) => infer Value;
}
  ? Value
  : never;

/** A text as its schema knows it. */
export function valueBySchema(given: string, { type, items }: Schema): unknown {
  if (type === 'array') return given.split(',').map((item) => valueBySchema(item, items as Schema));
  return type === 'integer' ? Number(given) : given;
}

/** The values of a table's parameters, under their names. */
export type ValuesOf<Table> = { readonly [Name in RequiredNameIn<Table>]: ValueIn<Table, Name> } & {
  readonly [Name in Exclude<NameIn<Table>, RequiredNameIn<Table>>]?: ValueIn<Table, Name>;
};

export type ParameterName = keyof typeof PARAMETERS;

export const PARAMETER_NAMES = Object.keys(PARAMETERS) as readonly ParameterName[];
